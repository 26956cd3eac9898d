import { factsOf, detectLanguage, recordsOf } from '../../../packages/retrieval/src/index.ts';
import { FOLDERS } from './questions.ts';
import { readFolders } from './read.ts';
const { files } = await readFolders(FOLDERS.slice(0, process.argv[2] ? 2 : 1));
for (const { name, ...document } of files) {
  const language = detectLanguage(document.text.slice(0, 6000));
  const f = factsOf(document, { fileName: name, title: null, language });
  console.log(`# ${name}\n  kind ${f.kind}\n  title ${f.title}\n  date ${f.date?.value}\n  parties ${f.parties.map((p) => p.value).join('; ')}\n  version ${f.version}\n  replaces ${f.replaces?.value.replace(/\s+/gu, ' ')}`);
  const t = recordsOf(document, { artifactId: name, fileName: name, kind: f.kind, language });
  for (const one of t) console.log(`  T ${one.name} ${one.fields} ${one.rows.length} | ${one.columns.map((c) => `${c.name}:${c.type}:${c.unit}`).join(', ')} | ${JSON.stringify(one.rows[0]?.cells)} ${JSON.stringify(one.rows.at(-1)?.cells)}`);
}
