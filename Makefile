# Oriel: `make run` starts it, `make test` checks it; `make help` lists the rest.

CONFIGURATION ?= release
CYCLES ?= 500
KILLS ?= 100
ORIEL = .build/$(CONFIGURATION)/oriel

.PHONY: help run demo test soak interop bench deps build lint clean

help:
	@echo 'make run     platform and a demo camera, until Ctrl-C   (SOURCE=rtsp://host/path for a camera of yours,'
	@echo '             SOURCE_CREDENTIALS=file with user and password on two lines)'
	@echo 'make demo    the whole job once, without a person: writes demo/live.mp4 and demo/live.jpg'
	@echo 'make test    lint, unit tests, end-to-end tests with real peers'
	@echo 'make soak    500 connections and 500 views in release: threads, descriptors and heap as they were (CYCLES=500);'
	@echo '             a recorder, and an agent that records, killed 100 times at random (KILLS=100)'
	@echo 'make interop the tests with peers that are not ours, only'
	@echo 'make bench   measures, prints a table, writes docs/performance.md'
	@echo 'make lint    only the formatter, strict'
	@echo 'make clean   removes what was built'

deps:
	@scripts/install-packages build run

build: deps
	@scripts/build $(CONFIGURATION)

run: build
	@SOURCE='$(SOURCE)' SOURCE_CREDENTIALS='$(SOURCE_CREDENTIALS)' exec $(ORIEL) run

demo: build
	@exec $(ORIEL) demo --folder demo

test:
	@scripts/install-packages build run test
	@scripts/test

# In a folder of its own: tests see into modules only where they are built for that.
soak:
	@scripts/install-packages build run test
	@ORIEL_CYCLES=$(CYCLES) ORIEL_KILLS=$(KILLS) swift test -c release -Xswiftc -enable-testing --scratch-path .build/soak \
	  --filter 'LeavesNothingBehind|LeaveNothingBehind|killedRecorderLosesAtMostASecond'
	@scripts/build release
	@cd Tests/EndToEnd && ORIEL=$(CURDIR)/.build/release/oriel ORIEL_KILLS=$(KILLS) \
	  python3 -m unittest -v recording_test.KilledAgent

interop: build
	@scripts/install-packages test
	@scripts/test interop

bench:
	@scripts/install-packages build run bench
	@scripts/build release
	@Benchmarks/run

lint:
	@swift format lint --strict --recursive Package.swift Sources Tests Examples

clean:
	rm -rf .build demo
