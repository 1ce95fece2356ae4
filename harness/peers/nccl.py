#!/usr/bin/env python3
"""NCCL's all-reduce on the GPUs of this host, to stand beside the lab's.

    harness/peers/nccl.py [--gpus 2] [--bytes 8,20480,…] [--seconds 0.5] [--inflight 64]

Needs PyTorch with CUDA and NCCL, and as many GPUs. Prints CSV, a line per size and mode, nothing else:

    bytes,gpus,mode,inflight,samples,p50_us,p90_us,p99_us,algbw_gbs,wrong

Modes, all bf16, out of place as far as NCCL's Python interface goes (it reduces a tensor in place; inputs are zeros with
a -0 among them when timed, so that nothing overflows):

  eager   one torch.distributed.all_reduce and a wait of the host for it, each sample from the call to the observed
          completion on this rank, the ranks having met in a barrier that is not timed
  eager-inflight   as many calls as --inflight before one wait, per all-reduce
  graph   as many all-reduces as --inflight captured in one CUDA graph, replayed, one wait, per all-reduce

Before it is timed every size is checked: ranks hold 1, 2, …, the sum must be exact in every element ("wrong" counts).
"""
import argparse
import csv
import os
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

SIZES = "8,1024,20480,131072,1048576,10485760,67108864,268435456"


def quantile(samples, q):
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(q * len(ordered)))]


def check(rank, gpus, count):
    """Number of wrong elements of one all-reduce of the values rank + 1."""
    tensor = torch.full((count,), rank + 1, dtype=torch.bfloat16, device="cuda")
    dist.all_reduce(tensor)
    return int((tensor != gpus * (gpus + 1) // 2).sum().item())


def sampled(seconds, once, per):
    """Samples in microseconds per all-reduce; the number of samples is the same on every rank."""
    for _ in range(10):
        once()
    start = time.perf_counter()
    for _ in range(5):
        dist.barrier()
        once()
    each = (time.perf_counter() - start) / 5
    wanted = torch.tensor([max(20, min(20000, int(seconds / each)))], device="cuda")
    dist.broadcast(wanted, 0)
    samples = []
    for _ in range(int(wanted.item())):
        dist.barrier()
        torch.cuda.synchronize()
        begin = time.perf_counter_ns()
        once()
        samples.append((time.perf_counter_ns() - begin) / 1e3 / per)
    return samples


def modes(count, inflight):
    tensor = torch.zeros(count, dtype=torch.bfloat16, device="cuda")
    tensor[0] = -0.0

    def eager():
        dist.all_reduce(tensor)
        torch.cuda.synchronize()

    def many():
        for _ in range(inflight):
            dist.all_reduce(tensor)
        torch.cuda.synchronize()

    yield "eager", 1, eager
    yield "eager-inflight", inflight, many
    graph = torch.cuda.CUDAGraph()
    for _ in range(3):
        dist.all_reduce(tensor)
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        for _ in range(inflight):
            dist.all_reduce(tensor)

    def replay():
        graph.replay()
        torch.cuda.synchronize()

    yield "graph", inflight, replay


def work(rank, options):
    os.environ.setdefault("MASTER_ADDR", "127.0.0.1")
    os.environ.setdefault("MASTER_PORT", "29511")
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=options.gpus, device_id=torch.device("cuda", rank))
    out = csv.writer(sys.stdout, lineterminator="\n")
    if rank == 0:
        out.writerow("bytes,gpus,mode,inflight,samples,p50_us,p90_us,p99_us,algbw_gbs,wrong".split(","))
    wrong_in_all = 0
    for size in options.bytes:
        count = size // 2
        wrong = check(rank, options.gpus, count)
        wrong_in_all += wrong
        inflight = max(1, min(options.inflight, (1 << 30) // size))
        for mode, per, once in modes(count, inflight):
            samples = sampled(options.seconds, once, per)
            if rank == 0:
                p50 = quantile(samples, 0.5)
                row = [size, options.gpus, mode, per, len(samples)]
                row += [f"{quantile(samples, q):.2f}" for q in (0.5, 0.9, 0.99)]
                out.writerow(row + [f"{size / p50 / 1e3:.3f}", wrong])
                sys.stdout.flush()
    dist.barrier()
    torch.cuda.synchronize()
    sys.stdout.flush()
    # NCCL's teardown hangs once all-reduces were captured in graphs (PyTorch 2.11); all is done and printed.
    os._exit(1 if wrong_in_all else 0)


def main():
    parser = argparse.ArgumentParser(description="NCCL's all-reduce beside the lab's", allow_abbrev=False)
    parser.add_argument("--gpus", type=int, default=2)
    parser.add_argument("--bytes", default=SIZES, type=lambda text: [int(b) for b in text.split(",")])
    parser.add_argument("--seconds", type=float, default=0.5, help="of samples per size and mode")
    parser.add_argument("--inflight", type=int, default=64)
    options = parser.parse_args()
    here = torch.cuda.device_count()
    if here < options.gpus:
        print(f"nccl.py: {options.gpus} GPUs wanted, {here} here", file=sys.stderr)
        sys.exit(4)
    if any(b < 2 or b % 2 for b in options.bytes):
        print("nccl.py: --bytes are even numbers, at least 2 (bf16)", file=sys.stderr)
        sys.exit(2)
    mp.spawn(work, args=(options,), nprocs=options.gpus)


if __name__ == "__main__":
    main()
