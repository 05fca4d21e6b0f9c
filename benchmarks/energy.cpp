// SPDX-License-Identifier: MIT
// energy.cpp: NVML's total energy counter. The library comes with the driver, so it is opened at run time, and what is
// used of its interface is declared here.
#include "energy.hpp"
#include "clock.hpp"

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double SECONDS = 2;             // the counter moves ten times a second or more
constexpr cl_uint PCI_BUS_ID = 0x4008;    // CL_DEVICE_PCI_BUS_ID_NV
constexpr cl_uint PCI_SLOT_ID = 0x4009;   // CL_DEVICE_PCI_SLOT_ID_NV
constexpr cl_uint PCI_DOMAIN_ID = 0x400A; // CL_DEVICE_PCI_DOMAIN_ID_NV

double seconds_since(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

} // namespace

struct Energy::Library {
    using Device = void *;
    void *handle = nullptr;
    Device device = nullptr;
    int (*shutdown)() = nullptr;
    int (*total)(Device, unsigned long long *millijoules) = nullptr;

    template <typename F> void find(F *&function, const char *name) const
    {
        function = reinterpret_cast<F *>(dlsym(handle, name));
        if (function == nullptr)
            throw std::runtime_error(std::string("NVML has no function ") + name);
    }

    ~Library()
    {
        if (shutdown != nullptr)
            (void)shutdown();
        if (handle != nullptr)
            (void)dlclose(handle);
    }
};

Energy::Energy(cl_device_id device) : library_(std::make_unique<Library>())
{
    Library &nvml = *library_;
    nvml.handle = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (nvml.handle == nullptr)
        throw std::runtime_error("--energy needs libnvidia-ml.so.1 of NVIDIA's driver");
    int (*init)() = nullptr;
    int (*by_bus)(const char *, Library::Device *) = nullptr;
    nvml.find(init, "nvmlInit_v2");
    nvml.find(by_bus, "nvmlDeviceGetHandleByPciBusId_v2");
    nvml.find(nvml.total, "nvmlDeviceGetTotalEnergyConsumption");
    if (init() != 0)
        throw std::runtime_error("NVML does not start");
    nvml.find(nvml.shutdown, "nvmlShutdown");
    cl_uint domain = 0;
    cl_uint bus = 0;
    cl_uint slot = 0;
    (void)clGetDeviceInfo(device, PCI_DOMAIN_ID, sizeof domain, &domain, nullptr);
    require_cl(clGetDeviceInfo(device, PCI_BUS_ID, sizeof bus, &bus, nullptr), "the device's PCI bus");
    require_cl(clGetDeviceInfo(device, PCI_SLOT_ID, sizeof slot, &slot, nullptr), "the device's PCI slot");
    char name[32];
    (void)std::snprintf(name, sizeof name, "%08x:%02x:%02x.0", domain, bus, slot >> 3); // below: the function
    if (by_bus(name, &nvml.device) != 0)
        throw std::runtime_error(std::string("NVML does not know the device ") + name);
    (void)now();
}

Energy::~Energy() = default;

double Energy::now() const
{
    unsigned long long millijoules = 0;
    if (library_->total(library_->device, &millijoules) != 0)
        throw std::runtime_error("this machine does not let the GPU's energy counter be read");
    return static_cast<double>(millijoules) * 1e-3;
}

double Energy::idle_watts() const
{
    const auto begin = Clock::now();
    const double before = now();
    std::this_thread::sleep_for(std::chrono::duration<double>(SECONDS));
    return (now() - before) / seconds_since(begin);
}

double Energy::joules(const Call &call, std::size_t calls) const
{
    const auto begin = Clock::now();
    const double before = now();
    std::size_t made = 0;
    while (seconds_since(begin) < SECONDS) {
        (void)batch_seconds(call, calls);
        made += calls;
    }
    return (now() - before) / static_cast<double>(made);
}

} // namespace bench
