// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "isthmus/base/error.hpp"
#include "isthmus/comm/comm.hpp"

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>

namespace isthmus::io::hdf {

/// Owns an identifier of HDF5.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close how) : id_(id), close_(how) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { (void)close(); }

  [[nodiscard]] hid_t get() const { return id_; }
  [[nodiscard]] bool valid() const { return id_ >= 0; }
  /// Whether that succeeded.
  bool close() { return id_ < 0 || close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// HDF5 does not print its errors while this lives; ours say what happened.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// How the ranks of `comm` open a file together; plainly if it is serial.
[[nodiscard]] inline Handle access_of(const comm::Comm& comm) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (comm.raw() != MPI_COMM_NULL) {
    H5Pset_fapl_mpio(access.get(), comm.raw(), MPI_INFO_NULL);
  }
  return access;
}

/// How they move data together.
[[nodiscard]] inline Handle transfer_of(const comm::Comm& comm) {
  Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  if (comm.raw() != MPI_COMM_NULL) {
    H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE);
  }
  return transfer;
}

template <typename T>
[[nodiscard]] hid_t type_of() {
  if constexpr (std::is_same_v<T, double>) {
    return H5T_NATIVE_DOUBLE;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return H5T_NATIVE_INT64;
  } else if constexpr (std::is_same_v<T, std::uint32_t>) {
    return H5T_NATIVE_UINT32;
  } else {
    static_assert(std::is_same_v<T, std::uint8_t>);
    return H5T_NATIVE_UINT8;
  }
}

} // namespace isthmus::io::hdf
