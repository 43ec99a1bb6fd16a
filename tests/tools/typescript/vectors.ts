// Reads values with the generated codecs and says what became of each.

import { readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import * as $w from "./gen/_weave/index.js";
import { codecs } from "./gen/types/index.js";

interface Vector {
  readonly type: string;
  readonly json: string;
}

const all = codecs as unknown as Record<string, $w.Codec<unknown>>;

function verdict(vector: Vector): unknown {
  const codec = all[vector.type];
  if (codec === undefined) {
    return { problem: `there is no codec ${vector.type}` };
  }
  // Without a value, the schema is asked for: as it stands, as a Standard JSON Schema, and read twice.
  if (vector.json === "") {
    const [schema, standard] = [codec.schema, codec["~standard"].jsonSchema.input({ target: "draft-2020-12" })];
    return isDeepStrictEqual({ ...schema }, standard) && isDeepStrictEqual(structuredClone(schema), standard)
      ? { schema }
      : { problem: "the Standard JSON Schema is another one" };
  }
  const result = codec.decode(JSON.parse(vector.json));
  const standard = codec["~standard"].validate(JSON.parse(vector.json));
  if (result.ok !== (standard.issues === undefined)) {
    return { problem: "the Standard Schema has another verdict" };
  }
  if (!result.ok) {
    return { ok: false, path: result.issue.path, message: result.issue.message };
  }
  // What was read is written and read again.
  const written = codec.encode(result.value);
  const again = codec.parse(JSON.parse(JSON.stringify(written)));
  return isDeepStrictEqual(again, result.value) ? { ok: true, written: $w.canonical(written) } : { problem: "it is another value when it is read again" };
}

const [, , from, to] = process.argv;
const vectors = JSON.parse(readFileSync(from ?? "", "utf8")) as Vector[];
writeFileSync(to ?? "", JSON.stringify(vectors.map(verdict)));
