// A wall clock that jumps: each reading is a day ahead of or behind the time, in turn. Preloaded into a process.

#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>

namespace {

std::atomic<unsigned> num_readings{0};

time_t jump() { return num_readings++ % 2 ? 86400 : -86400; }

template <typename Function>
Function* original(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* now) noexcept {
    static auto* const read = original<int(clockid_t, timespec*)>("clock_gettime");
    const int status = read(clock, now);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += jump();
    return status;
}

int gettimeofday(timeval* now, void* zone) noexcept {
    static auto* const read = original<int(timeval*, void*)>("gettimeofday");
    const int status = read(now, zone);
    now->tv_sec += jump();
    return status;
}

time_t time(time_t* now) noexcept {
    static auto* const read = original<time_t(time_t*)>("time");
    const time_t found = read(nullptr) + jump();
    if (now) *now = found;
    return found;
}
}
