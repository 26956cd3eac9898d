import { describe, expect, test } from 'vitest';
import { composeAnswer } from '../answer.ts';
import { answerFileList } from '../file-list.ts';
import { fileOf, materialFor } from './library.test-setup.ts';
import { THRESHOLD } from '../weights.ts';

const letter = (name: string, from: string, date: string, subject: string, text: string) =>
  fileOf(
    name,
    `${from}\nMs Hanna Brodie\n14 Quay Road\n${date}\nDear Ms Brodie,\n# ${subject}\n${text}\nYours sincerely\n${from}`,
  );

const minutes = (name: string, title: string, date: string, present: string, text: string) =>
  fileOf(name, `# ${title}\nDate: ${date}\nPresent: ${present}\n${text}`);

const FILES = [
  letter(
    'council-tax-band.pdf',
    'Ferncliff Council',
    '3 March 2023',
    'Your council tax band',
    'Your house is now in band C. Nothing else is changed.',
  ),
  letter(
    'council-bin-day.pdf',
    'Ferncliff Council',
    '11 June 2024',
    'Collection of your bins',
    'The green bin is emptied on Thursdays from July on.',
  ),
  letter(
    'water-meter.pdf',
    'Dunmere Water Ltd',
    '9 May 2024',
    'Reading of your meter',
    'We read your meter on 2 May and it stood at 418.',
  ),
  minutes(
    'allotment-2023-02-06.md',
    'Minutes of the allotment committee',
    '6 February 2023',
    'Tom Achebe, Hanna Brodie, Lou Marsh',
    'The shed gets a new roof. Tom asks the roofer.',
  ),
  minutes(
    'allotment-2024-02-05.md',
    'Minutes of the allotment committee',
    '5 February 2024',
    'Hanna Brodie, Lou Marsh',
    'The gate sticks. Lou oils it.',
  ),
  minutes(
    'school-board-2024-09-12.md',
    'Minutes of the school board',
    '12 September 2024',
    'Tom Achebe, Ines Hall, Hanna Brodie',
    'The playground is closed until October.',
  ),
  fileOf(
    'home-policy.pdf',
    '# Home insurance policy\nPolicy number HP-22019\nIssued on 4 January 2024\nInsured: Hanna Brodie\nThe house and what is in it are covered up to 300,000 euros.',
  ),
  fileOf(
    'bike-policy.pdf',
    '# Bicycle insurance policy\nPolicy number BC-1180\nIssued on 19 April 2022\nInsured: Hanna Brodie\nTheft is covered up to 2,400 euros.',
  ),
  fileOf(
    'boiler-warranty.pdf',
    '# Warranty of the Calora boiler\nIssued on 8 October 2021\nThe warranty runs for seven years.',
  ),
  fileOf(
    'washer-warranty.txt',
    '# Warranty certificate\nWarranty of the washing machine, issued on 2 December 2023. It ends after two years.',
  ),
  fileOf(
    'journeys.md',
    `# Journeys
## Trips 2023
- Lisbon by train, 4 to 11 May 2023
- Cairngorms with Lou, 19 August 2023
## Trips 2024
- Ghent, 2 March 2024
- Skye with the tent, 21 July 2024
- Ghent again, 8 December 2024
## Packing
We take less every time.`,
  ),
  fileOf(
    'oven-manual.txt',
    `# Oven manual
## Error codes
F1\tThe door is open
F2\tThe fan is stuck
F7\tThe sensor is broken
## Care
Wipe the oven while it is warm. The door can be taken off.`,
  ),
  fileOf(
    'brief-stadtwerke.txt',
    'Stadtwerke Ahlen\nFrau Hanna Brodie\n7. Mai 2024\nSehr geehrte Frau Brodie,\nBetreff: Ihr Abschlag\nder Abschlag beträgt ab Juni 84 Euro.\nMit freundlichen Grüßen\nStadtwerke Ahlen',
    'de',
  ),
  fileOf(
    'brief-stadtwerke-zaehler.txt',
    'Stadtwerke Ahlen\nFrau Hanna Brodie\n12. November 2023\nSehr geehrte Frau Brodie,\nBetreff: Ihr Zähler\nwir tauschen den Zähler am 4. Dezember.\nMit freundlichen Grüßen\nStadtwerke Ahlen',
    'de',
  ),
];

const ask = (text: string, languages = ['en', 'de']): string | null => {
  const proposal = answerFileList(materialFor(FILES, text, languages));
  return proposal === null || proposal.confidence < THRESHOLD ? null : proposal.markdown;
};

/** The files that an answer must name, all of them and no other of their kind. */
describe('answerFileList', () => {
  test.each([
    ['all meetings with Tom', 2, ['allotment-2023', 'school-board-2024']],
    ['Which meetings did Tom attend in 2024?', 1, ['school-board-2024']],
    ['which meetings were there in 2024', 2, ['allotment-2024', 'school-board']],
    [
      'how many meetings of the allotment committee did we have?',
      2,
      ['allotment-2023', 'allotment-2024'],
    ],
    ['which letters did the council send', 2, ['council-tax-band', 'council-bin-day']],
    ['show me all letters from Dunmere Water', 1, ['water-meter']],
    ['every letter from Ferncliff Council in 2024', 1, ['council-bin-day']],
    ['list my insurance policies', 2, ['home-policy', 'bike-policy']],
    ['what insurance policies do I have?', 2, ['home-policy', 'bike-policy']],
    ['do we have any letters about the meter?', 1, ['water-meter']],
    ['what warranties do I have', 2, ['boiler-warranty', 'washer-warranty']],
    ['what papers do I have about the washing machine', 1, ['washer-warranty']],
    ['welche Briefe haben die Stadtwerke geschickt?', 2, ['brief-stadtwerke.txt', 'zaehler']],
    ['zeige mir alle Briefe der Stadtwerke von 2024', 1, ['brief-stadtwerke.txt']],
  ])('%s', (question, count, names) => {
    const markdown = ask(question);
    for (const name of names) expect(markdown).toContain(name);
    expect(markdown?.match(/^- /gmu)).toHaveLength(count);
    expect(markdown).toMatch(new RegExp(String.raw`(?:^|\()${count}(?: |\))`, 'u'));
  });

  test.each([
    'all meetings with Zora',
    'which letters did the library send',
    'list my contracts',
    'list all invoices from 2024',
    'which meetings did Tom attend in 2019',
    'which letter says that the bin is emptied on Thursdays?',
    'what is the number of the home insurance policy?',
    'how many years does the warranty of the boiler run?',
    'when were the meetings with Tom?',
    'why did the council send letters?',
    'how do I take the doors off?',
    'which policies cover an earthquake on the moon?',
    'what plants grow in the shade?',
    'which trips did we take to Oslo',
    'which error codes can the dishwasher show?',
    'is the fan stuck?',
    'all of it, please',
    'what papers do I have',
    'welche Rechnungen kamen 2024?',
    'welche Briefe hat die Sparkasse geschickt?',
    'which warranties are still valid in space?',
    'list the members of the choir',
  ])('is silent: %s', (question) => {
    expect(ask(question)).toBeNull();
  });

  test('says the day and the source of each, newest first, and cites it', () => {
    const { markdown, citations, grounded } = composeAnswer(
      materialFor(FILES, 'list my insurance policies').question,
      materialFor(FILES, 'list my insurance policies').ranked,
      materialFor(FILES, 'list my insurance policies'),
    );
    expect(grounded).toBe(true);
    expect(markdown).toBe(
      [
        '2 files, newest first:',
        '',
        '- **Home insurance policy**, home-policy.pdf – 4 January 2024 [1]',
        '- **Bicycle insurance policy**, bike-policy.pdf – 19 April 2022 [2]',
      ].join('\n'),
    );
    expect(citations).toMatchObject([
      { n: 1, fileName: 'home-policy.pdf', quote: 'Home insurance policy', start: 0 },
      { n: 2, fileName: 'bike-policy.pdf', quote: 'Bicycle insurance policy', start: 0 },
    ]);
  });
});
