import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generatedFiles } from './generated.ts';

for (const { file, content } of await generatedFiles()) {
  writeFileSync(file, content);
  console.log(`wrote ${path.relative(process.cwd(), file)}`);
}
