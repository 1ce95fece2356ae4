package org.allreducelab.harness.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RevisionTest {
  private static final String HOME = "allreducelab.home";
  private String home = "";

  @BeforeEach
  void remember() {
    home = System.getProperty(HOME, "");
    System.clearProperty(HOME);
  }

  @AfterEach
  void restore() {
    System.clearProperty(Revision.PROPERTY);
    System.clearProperty(HOME);
    if (!home.isEmpty()) {
      System.setProperty(HOME, home);
    }
  }

  @Test
  void aBundleTellsWhatItWasMadeFrom() {
    assertThat(Revision.ofThisLab()).isEmpty();
    for (Revision revision :
        new Revision[] {new Revision("c0ffee", false), new Revision("1", true)}) {
      System.setProperty(Revision.PROPERTY, revision.toString());
      assertThat(Revision.ofThisLab()).contains(revision);
    }
  }

  @Test
  void aCheckoutWithoutGitTellsNothing(@TempDir Path checkout) {
    System.setProperty(Revision.PROPERTY, "c0ffee");
    System.setProperty(HOME, checkout.toString());

    assertThat(Revision.checkout()).contains(checkout);
    assertThat(Revision.ofThisLab()).isEmpty();
  }
}
