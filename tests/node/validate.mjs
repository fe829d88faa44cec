// node validate.mjs MODULES FILE…: what the Khronos validator says of each file, as one JSON list.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [modules, ...files] = process.argv.slice(2);
const validator = createRequire(resolve(modules, "here.js"))("gltf-validator");

const reports = [];
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { uri: file, maxIssues: 100 });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  reports.push({ file, errors: numErrors, warnings: numWarnings, infos: numInfos, hints: numHints, messages });
}
console.log(JSON.stringify(reports));
