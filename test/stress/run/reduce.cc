#include "test/stress/run/reduce.h"

#include <algorithm>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

template <typename T>
std::vector<T> Without(const std::vector<T>& all, size_t begin, size_t count) {
  std::vector<T> rest(all.begin(), all.begin() + static_cast<long>(begin));
  const size_t end = std::min(begin + count, all.size());
  rest.insert(rest.end(), all.begin() + static_cast<long>(end), all.end());
  return rest;
}

// Takes out chunks of half the size each round, from the end, where most of
// what follows a cause can go.
template <typename T, typename Fails>
std::vector<T> Shorten(std::vector<T> all, size_t tries, const Fails& fails) {
  for (size_t chunk = (all.size() + 1) / 2; chunk > 0;) {
    bool shorter = false;
    for (size_t end = all.size(); end > 0 && tries > 0;) {
      const size_t begin = end > chunk ? end - chunk : 0;
      const std::vector<T> rest = Without(all, begin, end - begin);
      --tries;
      end = begin;
      if (fails(rest)) {
        all = rest;
        shorter = true;
        end = std::min(end, all.size());
      }
    }
    if (tries == 0) break;
    if (!shorter || chunk > 1) chunk /= 2;
  }
  return all;
}

}  // namespace

History Reduce(History history, size_t tries,
               const std::function<bool(const History&)>& fails) {
  history = Shorten(std::move(history), tries,
                    [&](const History& rest) { return fails(Legal(rest)); });
  return Legal(history);
}

std::vector<std::string> ReduceNames(
    std::vector<std::string> names, size_t tries,
    const std::function<bool(const std::vector<std::string>& left_out)>&
        fails) {
  const std::vector<std::string> all = names;
  return Shorten(
      std::move(names), tries, [&](const std::vector<std::string>& kept) {
        std::vector<std::string> left_out;
        for (const std::string& name : all) {
          if (std::find(kept.begin(), kept.end(), name) == kept.end()) {
            left_out.push_back(name);
          }
        }
        return fails(left_out);
      });
}

}  // namespace ROCKSDB_NAMESPACE::stress
