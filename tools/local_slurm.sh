#!/usr/bin/env bash
# local_slurm.sh start|stop FOLDER [CPUS]: a Slurm of this machine alone (munge, controller, one node), whose keys, logs
# and state are in FOLDER; the node has CPUS processors, however many there are. After start, `. FOLDER/environment`
# makes sbatch, squeue and the others use it. Needs Debian's slurmctld, slurmd and slurm-client
# (tools/setup/system.sh slurmctld slurmd slurm-client munge); as root, or with all of it as one user.
set -euo pipefail
action=${1:?start or stop} folder=$(realpath -m "${2:?a folder}") cpus=${3:-8}

stop() {
  local name
  for name in slurmd slurmctld munged; do
    if [ -s "$folder/$name.pid" ]; then
      kill "$(cat "$folder/$name.pid")" 2> /dev/null || true
    fi
  done
  for name in slurmd slurmctld munged; do
    while [ -s "$folder/$name.pid" ] && kill -0 "$(cat "$folder/$name.pid")" 2> /dev/null; do
      sleep 0.1
    done
  done
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

configure() {
  local host user
  host=$(hostname -s) user=$(id -un)
  (umask 077 && head -c 128 /dev/urandom > "$folder/munge.key")
  cat > "$folder/slurm.conf" << END
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
ReturnToService=2
MinJobAge=600
KillWait=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
  echo "export SLURM_CONF=$folder/slurm.conf" > "$folder/environment"
}

start() {
  local waited
  mkdir -p "$folder/state" "$folder/spool"
  chmod 755 "$folder" # munged wants nobody else to write there
  configure
  export SLURM_CONF=$folder/slurm.conf
  munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"
  slurmctld -c
  slurmd -c
  for ((waited = 0; waited < 300; ++waited)); do
    if sinfo -h -o %T 2> /dev/null | grep -q idle; then
      return
    fi
    sleep 0.1
  done
  echo "the node does not come up; see $folder/slurmctld.log and $folder/slurmd.log" >&2
  tail -n 5 "$folder/slurmctld.log" "$folder/slurmd.log" >&2
  stop
  exit 1
}

case $action in
  start) start ;;
  stop) stop ;;
  *)
    echo "local_slurm.sh start|stop FOLDER [CPUS]" >&2
    exit 2
    ;;
esac
