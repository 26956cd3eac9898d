import { search, type SearchData, uploadArtifacts } from '@engram/contract';
import type { SignedInUser } from '../../../apps/server/src/tests/app.test-setup.ts';

/** The number of sections to search for the answer. The files are as short as one section. */
const SECTIONS = 1;

/** Files that the follow-up questions are about, by name. */
const FILES: Readonly<Record<string, string>> = {
  'lease-berlin.txt': `Lease for the flat in Berlin

The landlord of the flat in Berlin is Bob Jones, the tenant is Anna Smith.
The rent of the flat in Berlin is 900 EUR a month.
The rent is due on the third working day of each month.
The deposit for the flat in Berlin is 1,800 EUR.
The lease for the flat in Berlin begins on 1 May 2024 and ends on 30 April 2027.
Pets are not allowed in the flat. Bob Jones can be reached at 030 555 0199.`,
  'lease-munich.txt': `Lease for the flat in Munich

The landlord of the flat in Munich is Clara Weiss.
The rent of the flat in Munich is 1,450 EUR a month.
The deposit for the flat in Munich is 4,350 EUR.
The lease for the flat in Munich begins on 1 September 2025 and ends on 31 August 2028.`,
  'plans.txt': `Plans of the phone company

The basic plan costs 5 EUR a month. The basic plan includes 2 GB of data.
The premium plan costs 19 EUR a month. The premium plan includes 50 GB of data.
The premium plan can be cancelled with a notice of 14 days.
Phone support is included in the premium plan only.`,
  'annual-report.txt': `Annual report of Northwind

Northwind had a revenue of 12 million EUR in 2023.
Northwind had a revenue of 15 million EUR in 2024.
Northwind employed 85 people in 2023.
Northwind employed 102 people in 2024.
Northwind was founded in 1998 by Laura Stein in Hamburg.
The headquarters of Northwind moved to Bremen in 2019.`,
  'biography.txt': `Maria Gold, a life

Maria Gold was born in Vienna in 1921. She studied chemistry in Zurich.
Maria Gold died in Boston in 1999.
Maria Gold received the Keller Prize for her work on enzymes in 1967.
Maria Gold married the painter Paul Reed in 1950.`,
  'washing-machine.txt': `Washing machine WM 500

The washing machine was bought at Electro Hansen on 4 March 2023.
The washing machine cost 649 EUR.
The warranty for the washing machine lasts five years.
The warranty covers the motor and the pump.
Repairs of the washing machine are done by Service Krause.`,
  'trip.txt': `Trip to Lisbon

The flight to Lisbon leaves from Frankfurt at 10:25 on 12 June.
The flight to Lisbon arrives at 12:40.
The hotel in Lisbon is called Casa Azul. The hotel costs 110 EUR a night.
Breakfast at the hotel is served from 7 to 10.
The return flight leaves on 19 June at 18:05.`,
  'handbook.txt': `Employee handbook

Employees have 28 days of vacation a year. Vacation must be requested two weeks in advance.
Travel expenses are refunded within 30 days. Receipts for travel expenses go to Judith Brandt.
Sick leave must be reported before 9 in the morning. Working from home is possible on two days a week.`,
  'mietvertrag.txt': `Mietvertrag für das Büro in Köln

Der Vermieter des Büros ist Herr Karl Lang.
Die Miete für das Büro beträgt 2.100 Euro im Monat.
Die Kaution für das Büro beträgt 6.300 Euro.
Der Mietvertrag beginnt am 1. Februar 2023 und endet am 31. Januar 2028.
Die Nebenkosten für das Büro betragen 340 Euro im Monat.`,
  'versicherung.txt': `Hausratversicherung bei der Allianz

Die Hausratversicherung kostet 128 Euro im Jahr.
Die Hausratversicherung deckt Schäden durch Feuer und Wasser.
Die Hausratversicherung kann mit einer Frist von drei Monaten gekündigt werden.
Die Nummer der Hausratversicherung ist HV-4711.`,
  'kurs.txt': `Spanischkurs an der Volkshochschule

Der Spanischkurs beginnt am 15. Oktober um 18 Uhr.
Der Spanischkurs kostet 180 Euro.
Der Spanischkurs findet in Raum 204 statt.
Die Lehrerin des Spanischkurses heißt Carmen Ruiz.`,
  'bail.txt': `Contrat de location du garage

Le loyer du garage est de 75 euros par mois.
Le contrat du garage se termine le 31 décembre 2026.
Le propriétaire du garage est Luc Martin.`,
};

/** Earlier questions, the follow-up, and the text that its answer must contain. */
type FollowUp = readonly [earlier: readonly string[], question: string, answer: RegExp];

const FOLLOW_UPS: readonly FollowUp[] = [
  [['What is the rent of the flat in Berlin?'], 'And when is it due?', /third working day/u],
  [['What is the rent of the flat in Berlin?'], 'What about Munich?', /1,450/u],
  [['What is the rent of the flat in Berlin?'], 'And the deposit?', /1,800/u],
  [['What is the rent of the flat in Munich?'], 'And the deposit?', /4,350/u],
  [['What is the deposit for the flat in Munich?'], 'And in Berlin?', /1,800/u],
  [
    ['When does the lease for the flat in Munich begin?'],
    'And when does it end?',
    /31 August 2028/u,
  ],
  [['Who is the landlord of the flat in Berlin?'], 'How can he be reached?', /030 555 0199/u],
  [['Who is the landlord of the flat in Berlin?'], 'What is his phone number?', /030 555 0199/u],
  [['Who is the landlord of the flat in Berlin?'], 'And in Munich?', /Clara Weiss/u],
  [['How much does the basic plan cost?'], 'And the premium plan?', /19 EUR/u],
  [['How much does the premium plan cost?'], 'How much data does it include?', /50 GB/u],
  [['How much does the basic plan cost?'], 'How much data does it include?', /2 GB/u],
  [['What is the premium plan?'], 'How much does it cost?', /19 EUR/u],
  [['Which plan includes phone support?'], 'How much does it cost?', /19 EUR/u],
  [['What was the revenue of Northwind in 2023?'], 'And in 2024?', /15 million/u],
  [['How many people did Northwind employ in 2024?'], 'And in 2023?', /85 people/u],
  [['What was the revenue of Northwind in 2024?'], 'Who founded it?', /Laura Stein/u],
  [['Who founded Northwind?'], 'When was it founded?', /1998/u],
  [['Where was Maria Gold born?'], 'Where did she die?', /Boston/u],
  [['Where was Maria Gold born?'], 'What prize did she receive?', /Keller Prize/u],
  [['When did Maria Gold die?'], 'Who did she marry?', /Paul Reed/u],
  [['What did the washing machine cost?'], 'Where was it bought?', /Electro Hansen/u],
  [['What did the washing machine cost?'], 'How long is its warranty?', /five years/u],
  [['How long does the warranty for the washing machine last?'], 'What does it cover?', /motor/u],
  [['What did the washing machine cost?'], 'Who repairs it?', /Service Krause/u],
  [['When does the flight to Lisbon leave?'], 'And when does it arrive?', /12:40/u],
  [['What is the hotel in Lisbon called?'], 'What does it cost?', /110 EUR/u],
  [['What is the hotel in Lisbon called?'], 'When is breakfast served there?', /7 to 10/u],
  [
    ['How many days of vacation do employees have?'],
    'How early must it be requested?',
    /two weeks/u,
  ],
  [['When are travel expenses refunded?'], 'Who gets the receipts for them?', /Judith Brandt/u],
  [['Wann beginnt der Mietvertrag für das Büro?'], 'Und wann endet er?', /31\. Januar 2028/u],
  [['Wie hoch ist die Miete für das Büro?'], 'Und die Kaution?', /6\.300/u],
  [['Wie hoch ist die Miete für das Büro?'], 'Und die Nebenkosten?', /340/u],
  [['Was kostet die Hausratversicherung?'], 'Was deckt sie?', /Feuer/u],
  [['Was kostet die Hausratversicherung?'], 'Welche Nummer hat sie?', /HV-4711/u],
  [['Wann beginnt der Spanischkurs?'], 'Und was kostet er?', /180/u],
  [['Wann beginnt der Spanischkurs?'], 'In welchem Raum findet er statt?', /204/u],
  [['Was kostet der Spanischkurs?'], 'Wer ist die Lehrerin?', /Carmen Ruiz/u],
  [['Quel est le loyer du garage ?'], 'Et quand se termine le contrat ?', /31 décembre/u],
  [
    ['What is the rent of the flat in Berlin?', 'And when is it due?'],
    'And the deposit?',
    /1,800/u,
  ],
  [
    ['How much does the basic plan cost?', 'And the premium plan?'],
    'How much data does it include?',
    /50 GB/u,
  ],
  [
    ['Was kostet die Hausratversicherung?', 'Was deckt sie?'],
    'Wie kann sie gekündigt werden?',
    /drei Monaten/u,
  ],
];

/** The result of one follow-up. */
interface FollowUpOutcome {
  question: string;
  /** Whether the answer contains the expected text: asked as a follow-up, and asked on its own. */
  followed: boolean;
  alone: boolean;
  answer: string;
}

async function ask(user: SignedInUser, text: string, after?: string): Promise<SearchData> {
  const body = { text, audio: false, ...(after === undefined ? {} : { after }) };
  return (await user.client.call(search, { body })).data;
}

/** Asks every follow-up over HTTP, once as a follow-up and once on its own. */
export async function measureFollowUps(
  user: SignedInUser,
  settled: () => Promise<void>,
): Promise<FollowUpOutcome[]> {
  const files = Object.entries(FILES).map(([name, text]) => ({ name, content: new Blob([text]) }));
  await user.client.upload(uploadArtifacts, files, {});
  await settled();
  const outcomes: FollowUpOutcome[] = [];
  for (const [earlier, question, expected] of FOLLOW_UPS) {
    let after: string | undefined;
    for (const text of earlier) after = (await ask(user, text, after)).history_id;
    const sectionsOf = ({ found }: SearchData): string =>
      found
        .slice(0, SECTIONS)
        .map(({ text }) => text)
        .join('\n');
    const answer = sectionsOf(await ask(user, question, after));
    const alone = sectionsOf(await ask(user, question));
    outcomes.push({
      question: `${earlier.join(' / ')} / ${question}`,
      followed: expected.test(answer),
      alone: expected.test(alone),
      answer,
    });
  }
  return outcomes;
}
