// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>

namespace isthmus {

/// Threads that one process may use: ISTHMUS_THREADS, 1 unless set. Error if that is no number from
/// 1 to 1024.
[[nodiscard]] int thread_count();

/// Threads that OpenMP would take: ISTHMUS_THREADS, else OMP_NUM_THREADS, else one for each
/// processor. Error as above.
[[nodiscard]] int usual_thread_count();

/// Calls work(begin, end) for blocks that together are [0, count), of `grain` except the last one,
/// on as many threads as thread_count() says; with one thread, for all at once. Blocks must not
/// depend on each other. Of what blocks throw, the exception of the first one is thrown at the end.
void parallel_for(std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& work);

/// The same on at most so many threads; 0: as many as thread_count() says.
void parallel_for(int threads, std::size_t count, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& work);

} // namespace isthmus
