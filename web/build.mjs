// Bundles the client into the package: a script with parts that load when they are needed, a style sheet, a page. The
// page names script and style sheet with a hash of their content, the script its parts, so that no browser mixes builds.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "src", "croupier", "floor", "server", "static");

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await esbuild.build({
  entryPoints: { app: join(here, "src", "main.ts"), style: join(here, "src", "style.css") },
  outdir: out,
  bundle: true,
  splitting: true,
  chunkNames: "parts/[hash]",
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  loader: { ".woff2": "file" },
  assetNames: "fonts/[name]-[hash]",
  publicPath: "/",
  logLevel: "warning",
});

const source = (name) => readFile(join(here, "src", name), "utf8");
let [page, missing] = await Promise.all([source("index.html"), source("missing.html")]);
for (const name of ["app.js", "style.css"]) {
  const hash = createHash("sha256")
    .update(await readFile(join(out, name)))
    .digest("hex")
    .slice(0, 12);
  page = page.replace(`/${name}`, `/${name}?${hash}`);
  missing = missing.replace(`/${name}`, `/${name}?${hash}`);
}
await writeFile(join(out, "missing.html"), missing);
await writeFile(join(out, "icon.svg"), await readFile(join(here, "src", "icon.svg")));
// The page comes last: where it stands, the build is whole.
await writeFile(join(out, "index.html"), page);
