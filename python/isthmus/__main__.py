# SPDX-License-Identifier: BSD-3-Clause
import sys

from isthmus.cli import main

sys.exit(main())
