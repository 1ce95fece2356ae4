/*
 * Times MPI_Allreduce(MPI_FLOAT, MPI_SUM) of one size and prints the median of its calls.
 *
 *   mpirun -n 2 openmpi_peer BYTES WARMUP_SECONDS MEASURE_SECONDS
 *
 * Out of place, each call between two readings of MPI_Wtime on rank 0, after a barrier, so that no
 * rank starts late. One line on stdout: the median in microseconds and the number of calls. Exits
 * with 1 if the last result is wrong.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SAMPLES = 4000000 };

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Calls until the time is over; rank 0 keeps the clock and tells the others. */
static int run(const float *send, float *recv, int count, double seconds, double *samples) {
  int rank, calls = 0, more = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double end = MPI_Wtime() + seconds;
  while (more) {
    for (int batch = 0; batch < 16 && calls < MAX_SAMPLES; batch++, calls++) {
      MPI_Barrier(MPI_COMM_WORLD);
      double start = MPI_Wtime();
      MPI_Allreduce(send, recv, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      samples[calls] = MPI_Wtime() - start;
    }
    more = calls < MAX_SAMPLES && MPI_Wtime() < end;
    MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  return calls;
}

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) {
    fprintf(stderr, "usage: openmpi_peer BYTES WARMUP_SECONDS MEASURE_SECONDS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int count = atoi(argv[1]) / (int)sizeof(float);
  float *send = malloc((size_t)count * sizeof(float));
  float *recv = malloc((size_t)count * sizeof(float));
  double *samples = malloc(MAX_SAMPLES * sizeof(double));
  for (int i = 0; i < count; i++) {
    send[i] = (float)(rank + 1 + i % 7);
  }
  run(send, recv, count, atof(argv[2]), samples);
  int calls = run(send, recv, count, atof(argv[3]), samples);
  for (int i = 0; i < count; i++) {
    if (recv[i] != (float)(ranks * (ranks + 1) / 2 + ranks * (i % 7))) {
      fprintf(stderr, "rank %d: element %d is %g\n", rank, i, recv[i]);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  if (rank == 0) {
    qsort(samples, (size_t)calls, sizeof(double), ascending);
    printf("%.3f %d\n", samples[calls / 2] * 1e6, calls);
  }
  free(samples);
  free(recv);
  free(send);
  MPI_Finalize();
  return 0;
}
