package org.allreducelab.backends.opencl;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.allreducelab.backends.LiveObjects;
import org.allreducelab.backends.device.Closing;
import org.allreducelab.backends.kernels.FoldKernels;
import org.allreducelab.backends.kernels.FoldShape;
import org.allreducelab.backends.kernels.FoldTable;
import org.allreducelab.backends.kernels.FoldVariant;
import org.allreducelab.backends.lowering.Fold;
import org.allreducelab.backends.lowering.Kernel;
import org.allreducelab.backends.lowering.Program;
import org.allreducelab.backends.lowering.Submission;

/** The kernels of a program in one context, ready to be enqueued, by submission. */
final class LaunchList implements AutoCloseable {
  private static final String KIND = "opencl launches";

  private final List<List<Launch>> launches = new ArrayList<>();
  private final Closing made;
  private boolean closed;

  /**
   * @param queue a queue of the context
   * @param traits which kernels
   * @param here of which ranks
   */
  LaunchList(
      Program program,
      CommandQueue queue,
      KernelTraits traits,
      IntPredicate here,
      KernelBinding.Buffers memory) {
    DeviceContext context = queue.context();
    FoldPrograms programs = context.programs(traits);
    FoldTable<KernelBinding> table = new FoldTable<>(kernels(programs, memory), programs::groups);
    List<List<FoldTable.Dispatch<KernelBinding>>> dispatches = new ArrayList<>();
    for (Submission s : program.submissions()) {
      List<FoldTable.Dispatch<KernelBinding>> ofSubmission = new ArrayList<>();
      for (Kernel kernel : here.test(s.rank()) ? s.kernels() : List.<Kernel>of()) {
        ofSubmission.addAll(
            table.add(
                s.rank(),
                kernel,
                operands -> FoldShape.of(program.precision(), program.count(), operands)));
      }
      dispatches.add(ofSubmission);
    }
    try (Closing closing = new Closing()) {
      byte[] bytes = table.bytes();
      DeviceBuffer records = closing.keep(new DeviceBuffer(context, bytes.length));
      queue.write(records, 0, bytes);
      for (List<FoldTable.Dispatch<KernelBinding>> ofSubmission : dispatches) {
        List<Launch> ofOne = new ArrayList<>();
        for (FoldTable.Dispatch<KernelBinding> dispatch : ofSubmission) {
          ofOne.add(closing.keep(new Launch(context, programs, dispatch, records)));
        }
        launches.add(ofOne);
      }
      made = closing.handOver();
    }
    LiveObjects.opened(KIND);
  }

  private static FoldKernels<KernelBinding> kernels(
      FoldPrograms programs, KernelBinding.Buffers memory) {
    return new FoldKernels<>() {
      @Override
      public int stepsPerGroup() {
        return programs.stepsPerGroup();
      }

      @Override
      public KernelBinding bind(int reader, FoldVariant variant, List<Fold> folds) {
        return KernelBinding.of(reader, variant, folds, memory);
      }
    };
  }

  /** Of a submission, by its index in the program; in order. */
  List<Launch> of(int submission) {
    return launches.get(submission);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      made.close();
      LiveObjects.closed(KIND);
    }
  }
}
