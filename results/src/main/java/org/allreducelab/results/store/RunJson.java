package org.allreducelab.results.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import org.allreducelab.results.RunRecord;
import org.allreducelab.results.store.RunFolderException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The form of {@code run.json}, and its reader.
 *
 * <p>Unknown fields are skipped, so an older lab reads what a newer one wrote under the same schema
 * version. Everything else that is unexpected is an error with its line and path.
 */
final class RunJson {
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(MapperFeature.USE_GETTERS_AS_SETTERS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .addModule(instants())
          .build();

  private RunJson() {}

  /**
   * @throws RunFolderException if the file cannot be read, is damaged or has another schema version
   */
  static RunRecord read(Path file) {
    byte[] bytes = bytesOf(file);
    try {
      requireSchema(file, MAPPER.readTree(bytes));
      return MAPPER.readValue(bytes, RunRecord.class);
    } catch (JsonProcessingException e) {
      throw JsonTrouble.damaged(file, "a run record", e);
    } catch (IOException e) {
      throw new RunFolderException(Kind.UNREADABLE, file, "cannot be read: " + e.getMessage(), e);
    }
  }

  private static byte[] bytesOf(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new RunFolderException(
          Kind.UNREADABLE, file, "no such file; a run is a folder that holds a run.json", e);
    } catch (IOException e) {
      throw new RunFolderException(Kind.UNREADABLE, file, "cannot be read: " + e.getMessage(), e);
    }
  }

  private static void requireSchema(Path file, JsonNode root) {
    JsonNode version = root.path("schemaVersion");
    if (!version.isIntegralNumber()) {
      throw new RunFolderException(Kind.DAMAGED, file, "not a run record: it has no schemaVersion");
    }
    if (version.asLong() != RunRecord.SCHEMA_VERSION) {
      throw new RunFolderException(
          Kind.OTHER_SCHEMA,
          file,
          "schemaVersion "
              + version.asText()
              + "; this lab reads version "
              + RunRecord.SCHEMA_VERSION
              + ": use the lab that wrote it");
    }
  }

  private static SimpleModule instants() {
    return new SimpleModule()
        .addSerializer(Instant.class, ToStringSerializer.instance)
        .addDeserializer(Instant.class, new InstantReader());
  }

  private static final class InstantReader extends FromStringDeserializer<Instant> {
    private static final long serialVersionUID = 1L;

    InstantReader() {
      super(Instant.class);
    }

    @Override
    protected @Nullable Instant _deserialize(String text, DeserializationContext context)
        throws IOException {
      try {
        return Instant.parse(text);
      } catch (DateTimeException e) {
        return (Instant)
            context.handleWeirdStringValue(
                Instant.class, text, "expected a UTC time such as 2026-11-30T12:00:00Z");
      }
    }
  }
}
