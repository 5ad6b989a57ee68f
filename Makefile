.PHONY: demo live tool install test lint sanitize sanitize-addresses sanitize-threads release docs benchmarks faults fuzz lab lab-faults soak soak-tests soak-simulation soak-replication

# Installs Debian's libraries and tools that are missing. Call it with what is needed.
install = sh Scripts/install.sh

# What the package is compiled with, and what its tests use besides.
libraries = libsqlite3-dev libcurl4-openssl-dev pkg-config
servers = sqlite3 etcd-server etcd-client openssl

# The tool for `make demo` and `make install`. Without it, they build one.
TOOL =

build_tool = echo "Compiling the tool. The first time takes some minutes." && \
  $(install) $(libraries) && swift build --product wellspring

# Ctrl-C ends make itself. It complains about commands that it ends too, and about those that end
# before it has noticed.
interruptible = trap 'sleep 0.3; exit 0' INT;

demo:
	@$(interruptible) $(if $(TOOL),true,$(build_tool)) && \
	  "$(or $(TOOL),$$(swift build --show-bin-path)/wellspring)" demo $(ARGUMENTS)

# A web page that lives: see Examples/LiveBoard. ARGUMENTS may be --port, --host and --file.
live:
	@$(interruptible) sh Scripts/live.sh $(ARGUMENTS)

tool:
	@$(build_tool)

PREFIX ?= /usr/local

# Installs the tool, its man page and its completions under PREFIX, or under DESTDIR and PREFIX.
install:
ifeq ($(TOOL),)
	@$(install) $(libraries)
	swift build -c release --static-swift-stdlib --product wellspring
endif
	@sh Scripts/install-tool.sh \
	  "$(or $(TOOL),$$(swift build -c release --show-bin-path)/wellspring)" "$(DESTDIR)$(PREFIX)"

test:
	@$(install) $(libraries) $(servers)
	Scripts/test.sh

# The whole suite with the address sanitizer, and what is concurrent with the thread sanitizer.
sanitize: sanitize-addresses sanitize-threads

sanitize-addresses:
	@$(install) $(libraries) $(servers)
	ASAN_OPTIONS="detect_leaks=0:suppressions=$(CURDIR)/Tests/address-sanitizer.supp" \
	  Scripts/test.sh --sanitize=address --scratch-path .build/asan --filter '$(ADDRESSES)'

# All tests.
ADDRESSES = .

sanitize-threads:
	@$(install) $(libraries) $(servers)
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.supp" \
	  Scripts/test.sh --no-parallel --sanitize=thread --scratch-path .build/tsan --filter '$(CONCURRENT)'

CONCURRENT = Observ|Pool|Commit|Cancel|Queue|SharedReader|Several|Quies|Connection|WAL|Snapshot|Transaction|Database|Simulation|Change|Growth|Starting|Closing|SharedMoments|Stream|Reader

lint:
	swift format lint --strict --recursive Sources Tests Benchmarks Examples Package.swift
	Scripts/prose.sh

release:
	swift build -c release -Xswiftc -warnings-as-errors

docs:
	sh Scripts/docs.sh

benchmarks:
	swift build -c release --product wellspring
	swift run -c release Benchmarks

# Lets each call to the file system fail, cuts the power at each, damages ten thousand files, and takes
# descriptors, threads, memory and disk space away.
lab:
	@$(install) $(libraries) $(servers)
	WELLSPRING_SOAK=1 Scripts/test.sh -c release -Xswiftc -enable-testing --filter LabTests

# Puts mended defects back: the lab must notice each.
lab-faults:
	@$(install) $(libraries) $(servers)
	sh Scripts/lab-faults.sh

# Feeds what comes from outside to the library, for an hour each. SECONDS_EACH and TARGETS say how long and what.
fuzz:
	@$(install) $(libraries)
	SECONDS_EACH="$(or $(SECONDS_EACH),3600)" sh Scripts/fuzz.sh

# Breaks the engine on purpose: the simulation must notice each fault.
faults:
	@$(install) $(libraries) $(servers)
	sh Scripts/faults.sh

# The long runs: what the tests do in small, at full size. STEPS and SEEDS say how much.
soak: soak-tests soak-simulation

soak-tests:
	@$(install) $(libraries) $(servers)
	swift build -c release --build-tests -Xswiftc -enable-testing
	WELLSPRING_SOAK=1 swift test -c release -Xswiftc -enable-testing --skip-build --filter soak:

# The tests of replicas at full size: failovers, elections, crashes, kills of etcd.
soak-replication:
	@$(install) $(libraries) $(servers)
	swift build -c release --build-tests -Xswiftc -enable-testing
	WELLSPRING_SOAK=1 swift test -c release -Xswiftc -enable-testing --skip-build --filter ReplicationTests

STEPS ?= 1000000
SEEDS ?= 1 2 3

soak-simulation:
	@$(install) $(libraries) $(servers)
	swift build -c release --build-tests -Xswiftc -enable-testing
	set -e; for seed in $(SEEDS); do \
	  WELLSPRING_STEPS=$(STEPS) WELLSPRING_SEED=$$seed \
	    swift test -c release -Xswiftc -enable-testing --skip-build --filter SimulationTests; \
	done
