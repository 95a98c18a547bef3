// Bundles the client into the package: a script, a style sheet, a page, and the words of each language. The
// page names script and style sheet with a hash of their content, the script its words, so that no browser mixes builds.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

import * as esbuild from "esbuild";
import { minify } from "terser";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "src", "croupier", "floor", "server", "static");
const LANGUAGES = ["zh", "ms", "af"];

const hashOf = (content) => createHash("sha256").update(content).digest("hex").slice(0, 12);

/** Write one file for each language but English: its messages and the sentences of the server, by their English. */
async function writeCatalogues() {
  const folder = join(here, "src", "messages");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const files = await Promise.all(
    names.map(async (name) => [name, JSON.parse(await readFile(join(folder, name), "utf8"))]),
  );
  const addresses = {};
  await mkdir(join(out, "messages"));
  for (const language of LANGUAGES) {
    const catalogue = { messages: {}, sentences: {} };
    for (const [name, rows] of files)
      for (const [english, row] of Object.entries(rows))
        catalogue[name === "sentences.json" ? "sentences" : "messages"][english] = row[language];
    const text = JSON.stringify(catalogue);
    const name = `messages/${language}-${hashOf(text)}.json`;
    await writeFile(join(out, name), text);
    addresses[language] = `/${name}`;
  }
  return addresses;
}

/** Leave the indentation of templates out: in a page one space is as good as many. */
const unindented = {
  name: "unindented",
  setup: ({ onLoad }) =>
    onLoad({ filter: /src[\\/].*[.]ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/\n[ \t]+/g, "\n"),
      loader: "ts",
    })),
};

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await esbuild.build({
  entryPoints: { app: join(here, "src", "main.ts"), style: join(here, "src", "style.css") },
  outdir: out,
  bundle: true,
  splitting: true,
  chunkNames: "parts/[hash]",
  minify: true,
  charset: "utf8",
  format: "esm",
  target: "es2022",
  legalComments: "none",
  loader: { ".woff2": "file" },
  assetNames: "fonts/[name]-[hash]",
  publicPath: "/",
  plugins: [unindented],
  define: { CATALOGUES: JSON.stringify(await writeCatalogues()) },
  logLevel: "warning",
});

// Terser's names and expressions take 4 % less of a compressed script than those of esbuild.
const script = join(out, "app.js");
const { code } = await minify(await readFile(script, "utf8"), { module: true, ecma: 2020 });
await writeFile(script, code);

const source = (name) => readFile(join(here, "src", name), "utf8");
let [page, missing] = await Promise.all([source("index.html"), source("missing.html")]);
for (const name of ["app.js", "style.css"]) {
  const content = await readFile(join(out, name));
  await writeFile(join(out, `${name}.br`), brotliCompressSync(content));
  await writeFile(join(out, `${name}.gzip`), gzipSync(content, { level: 9 }));
  const hash = hashOf(content);
  page = page.replace(`/${name}`, `/${name}?${hash}`);
  missing = missing.replace(`/${name}`, `/${name}?${hash}`);
}
await writeFile(join(out, "missing.html"), missing);
await writeFile(join(out, "icon.svg"), await readFile(join(here, "src", "icon.svg")));
// The page comes last: where it stands, the build is whole.
await writeFile(join(out, "index.html"), page);
