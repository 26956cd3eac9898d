import type { Passage } from '@engram/retrieval';
import { tasks } from './tasks.ts';

const text = 'The boathouse at the lake was built in 1931. Its deposit is 2,340 euros, due in May.';

const passage: Passage = {
  artifactId: 'lease',
  fileName: 'lease.txt',
  ordinal: 0,
  start: 0,
  end: text.length,
  text,
  location: { line: 1 },
  places: [],
  headings: [],
  score: 1,
};

/** Answers a question that nobody asked, so that the first one does not wait for tables to be read. */
export function warmUp(): void {
  const [timeZone, now] = ['UTC', new Date(0)];
  const read = { text: 'When was the boathouse built?', turns: [], languages: ['en'], names: null };
  const understood = tasks.read({ ...read, timeZone, now });
  if (understood === null) return;
  tasks.answer({
    searches: [{ question: understood.question, passages: [passage] }],
    asked: [],
    cited: [],
    librarySize: 1,
    tellUnfound: false,
    recommendations: 1,
    explain: false,
    handBack: false,
  });
}
