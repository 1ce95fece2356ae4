/**
 * {@code lab doctor}: for each directed pair of endpoints and each way to share bytes, whether what
 * the drivers claim really works. Each is tried in a child process.
 *
 * <pre>
 *   DoctorCommand ──▶ Doctor ──▶ ProbeCache
 *        │               └─────▶ ProbeRunner ◁── ChildProbe ══ lines ══ ProbeMain ──▶ PairProbe
 *        └──▶ Report                              (parent)               (child)      (a backend)
 * </pre>
 */
@NullMarked
package org.allreducelab.harness.doctor;

import org.jspecify.annotations.NullMarked;
