package org.allreducelab.backends.opencl;

import static org.lwjgl.opencl.CL10.*;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.allreducelab.backends.BackendException;
import org.allreducelab.backends.kernels.FoldVariant;
import org.allreducelab.backends.lowering.Fold;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/** The fold kernels of one context, compiled or read from the cache when first needed. */
final class FoldPrograms implements AutoCloseable {
  /**
   * The language and nothing else. Options that relax arithmetic (fast, mad, finite, unsafe, no
   * signed zeros, denormals as zero) would change bytes.
   */
  static final String OPTIONS = "-cl-std=CL1.2";

  /** Work items of a group on a GPU. */
  private static final int WORK_GROUP = 256;

  /** Groups that fill a GPU's compute unit, so that work items can loop. */
  private static final int GROUPS_PER_UNIT = 16;

  /** Steps that make another group worth starting on a processor. */
  private static final int STEPS_ON_CPU = 2048;

  private final DeviceContext context;
  private final KernelTraits traits;
  private final ProgramCache cache;
  private final Map<Key, Long> programs = new HashMap<>();
  private boolean closed;

  private record Key(FoldVariant variant, int buffers) {}

  FoldPrograms(DeviceContext context, KernelTraits traits, ProgramCache cache) {
    this.context = context;
    this.cache = cache;
    this.traits = traits;
  }

  /** Work items of a group. */
  int workGroup() {
    return traits.chunked()
        ? 1
        : (int) Math.min(WORK_GROUP, context.device().facts().maxWorkGroupSize());
  }

  /** How many steps of a fold make a group worth starting. */
  int stepsPerGroup() {
    return traits.chunked() ? STEPS_ON_CPU : workGroup();
  }

  /** How many groups are started for a fold that is worth so many of a step an item. */
  int groups(Fold fold, int worth) {
    int units = context.device().facts().computeUnits();
    return traits.chunked()
        ? Math.min(worth, units)
        : groups(worth, fold.sources().size(), GROUPS_PER_UNIT * units);
  }

  /**
   * On a GPU each work item first chooses a buffer per run among all arguments, which grows with
   * the square of the operands while a step grows with them. So with many operands an item takes
   * several steps, where enough groups are left to fill the device. (256 MiB on an H200: eight
   * operands took 5340 µs with a step an item and 4530 with four; two took 386 with one and 404
   * with 31.)
   */
  static int groups(int worth, int operands, int toFill) {
    int stepsPerItem = Math.max(1, operands / 2);
    return Math.min(worth, Math.max(toFill, (worth + stepsPerItem - 1) / stepsPerItem));
  }

  /**
   * How many buffer arguments the kernel of a dispatch gets, at least as many as it reaches.
   *
   * <p>On a processor few different numbers, so that few kernels are compiled, as far as the device
   * takes them. A GPU's driver looks at each argument whenever a kernel is enqueued (0.28 µs each
   * on an H200, where all else of the call takes 5.1), so there it gets no more than it needs.
   */
  int arguments(int buffers) {
    return arguments(
        buffers,
        traits.chunked(),
        (int) Math.min(Integer.MAX_VALUE, context.device().facts().maxParameterBytes() / 8 - 2));
  }

  /**
   * As {@link #arguments(int)}.
   *
   * @param most buffers that the device takes, beside the table and where to begin in it
   */
  static int arguments(int buffers, boolean chunked, int most) {
    int rounded = ceilingPowerOfTwo(Math.max(2, buffers));
    return chunked && rounded <= most ? rounded : buffers;
  }

  private static int ceilingPowerOfTwo(int n) {
    return 1 << (Integer.SIZE - Integer.numberOfLeadingZeros(n - 1));
  }

  /**
   * A kernel object of a variant, without arguments; the caller's to release.
   *
   * @param buffers how many buffer arguments it has
   */
  long kernel(FoldVariant of, int buffers) {
    FoldVariant variant = traits.readsWord(of.shape()) ? of.unspecialised() : of;
    Key key = new Key(variant, buffers);
    Long program = programs.get(key);
    if (program == null) {
      String text = FoldSource.text(variant, traits, buffers);
      program = build(text, variant.shape().toString());
      programs.put(key, program);
    }
    context.mayFail("clCreateKernel");
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      return context.check(
          clCreateKernel(program, FoldSource.KERNEL, code), code, "clCreateKernel");
    }
  }

  private long build(String text, String name) {
    byte[] kept = cache.get(text, context.device().facts());
    if (kept != null) {
      long program = ofBinary(kept);
      if (program != MemoryUtil.NULL) {
        return program;
      }
    }
    long program = ofSource(text);
    try {
      build(program, name);
    } catch (BackendException e) {
      clReleaseProgram(program);
      throw e;
    }
    keep(text, program);
    return program;
  }

  private void build(long program, String name) {
    context.mayFail("clBuildProgram");
    int code = compiled(program);
    if (code == CL_BUILD_PROGRAM_FAILURE) {
      throw new BackendException(
          "kernel %s does not compile on %s: %s".formatted(name, context.label(), log(program)));
    }
    context.check(code, "clBuildProgram");
  }

  private int compiled(long program) {
    long device = context.device().handle();
    return SignalHandlers.keptDuring(() -> clBuildProgram(program, device, OPTIONS, null, 0));
  }

  private long ofSource(String text) {
    context.mayFail("clCreateProgramWithSource");
    ByteBuffer utf8 = MemoryUtil.memUTF8(text, false);
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      return context.check(
          nclCreateProgramWithSource(
              context.handle(),
              1,
              MemoryUtil.memAddress(stack.pointers(utf8)),
              MemoryUtil.memAddress(stack.pointers(utf8.remaining())),
              MemoryUtil.memAddress(code)),
          code,
          "clCreateProgramWithSource");
    } finally {
      MemoryUtil.memFree(utf8);
    }
  }

  /** A program of a binary, or NULL if the driver does not take it. */
  private long ofBinary(byte[] binary) {
    if (context.fault("clCreateProgramWithBinary") != CL_SUCCESS) {
      return MemoryUtil.NULL;
    }
    ByteBuffer bytes = MemoryUtil.memAlloc(binary.length).put(binary).flip();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      IntBuffer code = stack.mallocInt(1);
      long program =
          nclCreateProgramWithBinary(
              context.handle(),
              1,
              MemoryUtil.memAddress(stack.pointers(context.device().handle())),
              MemoryUtil.memAddress(stack.pointers(binary.length)),
              MemoryUtil.memAddress(stack.pointers(bytes)),
              MemoryUtil.memAddress(stack.mallocInt(1)),
              MemoryUtil.memAddress(code));
      if (code.get(0) != CL_SUCCESS) {
        return MemoryUtil.NULL;
      }
      if (compiled(program) != CL_SUCCESS) {
        clReleaseProgram(program);
        return MemoryUtil.NULL;
      }
      return program;
    } finally {
      MemoryUtil.memFree(bytes);
    }
  }

  /** A driver that gives no binary only costs the time to compile again. */
  private void keep(String text, long program) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer size = stack.mallocPointer(1);
      int code = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, size, null);
      if (code != CL_SUCCESS || size.get(0) == 0) {
        return;
      }
      ByteBuffer binary = MemoryUtil.memAlloc((int) size.get(0));
      try {
        if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, stack.pointers(binary), null)
            == CL_SUCCESS) {
          byte[] copied = new byte[binary.remaining()];
          binary.get(copied);
          cache.put(text, context.device().facts(), copied);
        }
      } finally {
        MemoryUtil.memFree(binary);
      }
    }
  }

  private String log(long program) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer size = stack.mallocPointer(1);
      long device = context.device().handle();
      context.check(
          clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, (ByteBuffer) null, size),
          "clGetProgramBuildInfo");
      ByteBuffer text = MemoryUtil.memAlloc((int) Math.max(1, size.get(0)));
      try {
        context.check(
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, text, null),
            "clGetProgramBuildInfo");
        return StandardCharsets.UTF_8.decode(text).toString().replace("\0", "").strip();
      } finally {
        MemoryUtil.memFree(text);
      }
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      programs.values().forEach(program -> clReleaseProgram(program));
    }
  }
}
