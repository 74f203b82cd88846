# Attached GPUs: why a sensor or a source says nothing, and what to do.

live-missing-not-supported = This card, or its driver's mode, has no such sensor
live-missing-no-permission = You may not read this; an administrator can allow it
live-missing-function = The driver is too old for this: it lacks { $function }
live-missing-gpu-lost = The GPU no longer answers: it has fallen off the bus
live-missing-not-available = The driver does not say this here (Windows, WSL and containers hide it)
live-missing-not-reported = The source does not report this
live-missing-code = The driver answered with a code that is not known here: { $code }

live-throttle-idle = Nothing runs, so the clocks are low
live-throttle-application-clocks = Somebody set lower clocks
live-throttle-power-cap = The power limit holds the clocks back
live-throttle-hardware = The hardware slows down (heat, power or a fault)
live-throttle-sync-boost = It keeps pace with the other GPUs of its group
live-throttle-thermal-software = The driver slows it down, so that it does not get too hot
live-throttle-thermal-hardware = It is too hot, so the hardware slows it down
live-throttle-power-brake = The power supply asked it to slow down
live-throttle-display-clocks = The display's clocks hold it back
live-throttle-unknown = Another reason that is not known here

live-fault-no-gpus = The driver runs, but finds no NVIDIA GPU
live-remedy-no-gpus = Check that the card is seated and powered, and that this container or session may see it; then retry
live-fault-no-library = NVIDIA's library is not installed or cannot be loaded: { $reason }
live-remedy-no-library = Install NVIDIA's driver (on Debian: nvidia-driver; in a container: start it with GPU access) and retry
live-fault-driver-not-loaded = NVIDIA's library is there, but the driver is not loaded
live-remedy-driver-not-loaded = Load it (“modprobe nvidia”) or restart the computer, then retry
live-fault-version-mismatch = NVIDIA's library and the loaded driver have different versions, as after an update
live-remedy-version-mismatch = Restart the computer, or unload and load the driver's module anew; then retry
live-fault-no-permission = You may not talk to NVIDIA's driver
live-remedy-no-permission = Ask for access to /dev/nvidia* (often the group “video” or “render”, or the container's GPU option); then retry
live-fault-old-library = The library that was loaded is not NVIDIA's, or far too old: { $reason }
live-remedy-old-library = Update NVIDIA's driver and retry
live-fault-code = NVIDIA's driver answered with a code that is not known here: { $code }
live-fault-driver = NVIDIA's driver cannot be read: { $reason }
live-remedy-code = Look at what “nvidia-smi” says, restart the computer if it fails as well, then retry
live-fault-without-nvml = This vramplan was built without support for attached NVIDIA GPUs
live-remedy-without-nvml = Use a build with the feature “nvml”, or play a recording
live-fault-no-thread = The system has no room for another thread: { $reason }
live-remedy-no-thread = Close other programs and retry
live-fault-worker-ended = The part that reads the GPUs has stopped unexpectedly
live-remedy-worker-ended = Retry; planning goes on meanwhile
live-fault-no-prometheus = This vramplan cannot read Prometheus servers
live-remedy-no-prometheus = Read the GPUs of this machine, or play a recording

live-record-not-started = Nothing is being read, so there is nothing to record; start reading first
live-record-failed = The recording ended, because { $path } cannot be written: { $reason }. Free some space or choose another file

live-replay-unreadable = { $path } cannot be read: { $reason }
live-replay-other = { $path } is not a recording of vramplan
live-replay-version = { $path } has format version { $found }, and this vramplan reads version { $known }
live-replay-empty = { $path } has no samples
live-replay-line = { $path }, line { $line }, column { $column }: { $reason }
live-replay-time = { $path }, line { $line }: this sample is older than the one before it
live-remedy-replay = Choose another recording, or correct the file and retry
