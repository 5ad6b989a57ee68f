.PHONY: check nightly coverage repeats flaky steady demo live shop tool install install-replicas deb test-deb test-deployment test-etcd test lint sanitize sanitize-addresses sanitize-threads release docs docs-serve benchmarks plots faults fuzz lab lab-faults test-sqlite soak soak-tests soak-simulation soak-replication soak-partitions

# Installs Debian's libraries and tools that are missing. Call it with what is needed.
install = sh Scripts/install.sh

# What Storage and the tool are compiled with, what the whole package is, and what its tests use
# besides.
libraries = libsqlite3-dev pkg-config
all_libraries = $(libraries) libcurl4-openssl-dev
servers = sqlite3 etcd-server etcd-client openssl

# The tool for `make demo` and `make install`. Without it, they build one.
TOOL =

# An index is of use to editors only, and takes a tenth of the time. The tool is built on its own, so
# that other builds do not compile all again.
swift_build = swift build --scratch-path .build/tool --disable-index-store

build_tool = echo "Compiling the tool. The first time takes some minutes." && \
  $(install) $(libraries) && $(swift_build) --product wellspring

# Ctrl-C ends make itself. It complains about commands that it ends too, and about those that end
# before it has noticed.
interruptible = trap 'sleep 0.3; exit 0' INT;

demo:
	@$(interruptible) $(if $(TOOL),true,$(build_tool)) && \
	  "$(or $(TOOL),$$($(swift_build) --show-bin-path)/wellspring)" demo $(ARGUMENTS)

# A web page that lives: see Examples/LiveBoard. ARGUMENTS may be --port, --host and --file.
live:
	@$(interruptible) sh Scripts/live.sh $(ARGUMENTS)

# A service on three nodes: see Examples/ReplicatedShop. ARGUMENTS may be --servers, --seconds and --kill-primary.
shop:
	@$(interruptible) sh Scripts/shop.sh $(ARGUMENTS)

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

# Installs wellspring-replicas, which needs libcurl.
install-replicas:
	@$(install) $(all_libraries)
	swift build -c release --static-swift-stdlib --product wellspring-replicas
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 "$$(swift build -c release --show-bin-path)/wellspring-replicas" \
	  "$(DESTDIR)$(PREFIX)/bin/wellspring-replicas"

# Makes a Debian package of the tool and a tarball, in .build/deb.
deb:
	@$(install) $(libraries) binutils dpkg
	@sh Scripts/deb.sh $(if $(TOOL),"$(TOOL)" "$(or $(DIR),.build/deb)")

# Installs them in bare roots of Debian 12 and 13, and uses the tool there. Needs root.
test-deb: deb
	@sh Scripts/deb-roots.sh

# Runs the tests of replicas with the etcd of Debian 13, which is unpacked beside.
test-etcd:
	@$(install) $(all_libraries) $(servers)
	sh Scripts/newer-etcd.sh

# Follows the guide on deployment in a bare root of Debian 12. Needs root.
test-deployment:
	@sh Scripts/deployment.sh

test:
	@$(install) $(all_libraries) $(servers)
	Scripts/test.sh

# The steps of .ci/run that the changes since the last commit that passed can break.
check:
	@if [ -e .build/passed ]; then .ci/run --since "$$(cat .build/passed)"; else .ci/run; fi

# What is too long for each check.
nightly:
	.ci/run --nightly

# How much of each room the suite runs, and the largest functions that it does not run.
coverage:
	@$(install) $(all_libraries) $(servers)
	Scripts/coverage.sh

# The places of Sources that share more than ten lines of code: candidates for one piece of code.
repeats:
	python3 Scripts/repeats.py

# Repeats the tests that TESTS names until one fails, and prints its seed.
flaky:
	@$(install) $(all_libraries) $(servers)
	Scripts/flaky.sh '$(TESTS)' $(TIMES)

# Runs the suite several times: `make steady TIMES=3 LOAD=--load` beside busy cores and a busy disk.
steady:
	@$(install) $(all_libraries) $(servers)
	Scripts/steady.sh $(or $(TIMES),10) $(LOAD)

# The suite with another SQLite: `make test-sqlite VERSION=3.46.1`, or the name of a release of Debian.
# WITHOUT names compile options that it shall lack. See Scripts/test-sqlite.sh.
test-sqlite:
	@WITHOUT="$(WITHOUT)" Scripts/test-sqlite.sh "$(or $(VERSION),newest)"

# The whole suite with the address sanitizer, and what is concurrent with the thread sanitizer.
sanitize: sanitize-addresses sanitize-threads

sanitize-addresses:
	@$(install) $(all_libraries) $(servers)
	ASAN_OPTIONS="detect_leaks=0:suppressions=$(CURDIR)/Tests/address-sanitizer.supp" \
	  $(sanitized) WELLSPRING_SANITIZER=address WELLSPRING_BUILD=.build/asan \
	  WELLSPRING_FILTER='$(ADDRESSES)' Scripts/test.sh

# A build with a sanitizer holds the faults too, so that a check compiles both. It is some times slower.
sanitized = WELLSPRING_FAULTS=1 WELLSPRING_PATIENCE=4

# All tests.
ADDRESSES = .

sanitize-threads:
	@$(install) $(all_libraries) $(servers)
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.supp" \
	  $(sanitized) WELLSPRING_SANITIZER=thread WELLSPRING_BUILD=.build/tsan \
	  WELLSPRING_FILTER='$(CONCURRENT)' Scripts/test.sh

CONCURRENT = Observ|Patching|Pool|Commit|Cancel|Queue|SharedReader|Several|Quies|Connection(?!Tests\.)|WAL|Snapshot|Transaction|Database|Simulation|Change|ObservationGeneration|Starting|Closing|SharedMoments|Stream|Reader|CallRun

lint:
	swift format lint --strict --recursive Sources Tests Benchmarks Examples Package.swift
	Scripts/prose.sh
	python3 Scripts/locks.py --check
	python3 Scripts/walks.py
	@! git grep -nE '\bMutex[<(]' -- Sources Tests || \
	  { echo "lint: use Lock; the thread sanitizer does not see the contended Mutex." >&2; exit 1; }
	@! git grep -n '@testable' -- Sources Benchmarks Tests/*Support Tests/*/Support Tests/Partitions \
	  ':!Tests/ReplicationTests' ':!Tests/DemoCLITests' ':!Tests/SharingTests' || \
	  { echo "lint: a release build compiles this too, without @testable." >&2; exit 1; }

# Warnings and code are the same without debug information, which takes a fifth of the time.
fast = -Xswiftc -gnone -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify

release:
	swift build -c release --enable-index-store -Xswiftc -warnings-as-errors $(fast)

# BASE is the path that the documentation is served under: / by default.
docs:
	sh Scripts/docs.sh

# Serves the documentation on PORT, and prints the address.
docs-serve:
	@$(interruptible) sh Scripts/site.sh $(PORT)

benchmarks:
	@$(install) $(all_libraries)
	swift build -c release --product wellspring
	swift run -c release Benchmarks

# Measures what the figures of the documentation show, and draws them. It wants a quiet machine.
plots:
	@$(install) $(all_libraries) $(servers) python3
	swift build -c release --product Benchmarks
	mkdir -p Docs/Figures
	set -e; run="$$(swift build -c release --show-bin-path)/Benchmarks"; \
	  "$$run" --csv --rounds 9 scale >Docs/Figures/scale.csv; \
	  "$$run" --csv --rounds 9 fetch insert write >Docs/Figures/ratios.csv; \
	  "$$run" --csv --rounds 5 observe incremental foreign >Docs/Figures/costs.csv; \
	  "$$run" failovers >Docs/Figures/failovers.md; \
	  "$$run" latencies >Docs/Figures/latencies.csv; \
	  "$$run" many observations >Docs/Figures/memory.md; \
	  "$$run" many readers >>Docs/Figures/memory.md
	python3 Scripts/plots.py Docs/Figures Docs/Storage.docc

# Lets each call to the file system fail, cuts the power at each, damages ten thousand files, and takes
# descriptors, threads, memory and disk space away.
lab:
	@$(install) $(all_libraries) $(servers)
	WELLSPRING_SOAK=1 Scripts/test.sh -c release -Xswiftc -enable-testing --filter LabTests
	WELLSPRING_SOAK=1 WELLSPRING_IMAGES="$$(sh Scripts/fuzz-images.sh)" $(MAKE) sanitize-addresses \
	  ADDRESSES='HostileFilesLabTests|HostileImagesLabTests|ChangesetsLabTests'
	swift build -c release --product Benchmarks
	"$$(swift build -c release --show-bin-path)/Benchmarks" many

# Puts fixed defects back: the lab must notice each.
lab-faults:
	@$(install) $(all_libraries) $(servers)
	sh Scripts/faults.sh --lab

# Feeds what comes from outside to the library, for an hour each. SECONDS_EACH and TARGETS say how long and what.
fuzz:
	@$(install) $(libraries)
	SECONDS_EACH="$(or $(SECONDS_EACH),3600)" sh Scripts/fuzz.sh

# Breaks the engine on purpose: the simulation must notice each fault.
faults:
	@$(install) $(all_libraries) $(servers)
	sh Scripts/faults.sh

# The long runs: what the tests do in small, at full size. STEPS and SEEDS say how much.
soak: soak-tests soak-simulation

soak-tests:
	@$(install) $(all_libraries) $(servers)
	swift build -c release --build-tests -Xswiftc -enable-testing
	WELLSPRING_SOAK=1 swift test --enable-swift-testing --disable-xctest -c release -Xswiftc -enable-testing --skip-build --filter soak:

# The tests of replicas at full size: failovers, elections, crashes, kills of etcd. It takes two hours.
soak-replication:
	@$(install) $(all_libraries) $(servers)
	WELLSPRING_SOAK=1 Scripts/test.sh --no-parallel --filter ReplicationTests

# Replicas in network namespaces that are cut off, killed and stopped by chance. SECONDS says how long
# each of the SEEDS takes. Then the scenarios, the times until writes go on, and the rates over slow
# links; with SMALL=1 some scenarios only. It needs root, and is skipped with a message where
# namespaces are not allowed.
soak-partitions: SECONDS ?= 1200
soak-partitions:
	@$(install) $(all_libraries) $(servers) iproute2
	swift build -c release --product PartitionLab
	set -e; lab="$$(swift build -c release --show-bin-path)/PartitionLab"; \
	  for seed in $(SEEDS); do "$$lab" soak --seed $$seed --seconds $(SECONDS); done; \
	  $(if $(SMALL),"$$lab" scenarios --only etcd,"$$lab" scenarios; "$$lab" times; "$$lab" rates)

STEPS ?= 1000000
SEEDS ?= 1 2 3

soak-simulation:
	@$(install) $(all_libraries) $(servers)
	swift build -c release --build-tests -Xswiftc -enable-testing
	set -e; for seed in $(SEEDS); do \
	  WELLSPRING_STEPS=$(STEPS) WELLSPRING_SEED=$$seed \
	    swift test --enable-swift-testing --disable-xctest -c release -Xswiftc -enable-testing --skip-build --filter SimulationTests; \
	done
