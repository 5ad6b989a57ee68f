.PHONY: demo test lint release docs benchmarks

# Installs Debian's libraries and tools that are missing. Call it with what is needed.
install = sh Scripts/install.sh

demo:
	@$(install) libsqlite3-dev pkg-config
	swift build --quiet --product DemoCLI
	@"$$(swift build --show-bin-path)/DemoCLI" demo $(ARGUMENTS)

test:
	@$(install) libsqlite3-dev pkg-config sqlite3
	swift test

lint:
	swift format lint --strict --recursive Sources Tests Benchmarks Package.swift

release:
	swift build -c release -Xswiftc -warnings-as-errors

docs:
	sh Scripts/docs.sh

benchmarks:
	swift run -c release Benchmarks
