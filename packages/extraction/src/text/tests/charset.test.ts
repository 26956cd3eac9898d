import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { charsetOfNames, decode, detectCharset } from '../charset.ts';

/** Typical lines, short and long. */
const TEXTS: Record<string, string[]> = {
  german: [
    'Die Größe der Tür beträgt 90 cm. Über die Straße führt eine Brücke.',
    'Müller, Jürgen: Rückgabe bis Dienstag, den 3. März. Bitte die Schlüssel für das Gartenhäuschen beim Nachbarn abgeben, er öffnet auch früh.',
  ],
  french: [
    'L’été dernier, nous avons loué une maison près de la forêt.',
    'Le café coûte 2 euros, le thé à la menthe est offert dès la deuxième tasse.',
  ],
  spanish: ['¿Dónde está la llave del jardín? La señora Peña la dejó aquí mañana por la mañana.'],
  polish: [
    'Zażółć gęślą jaźń. Książka leży na półce obok okna.',
    'Wczoraj wieczorem pojechaliśmy nad morze, żeby zobaczyć zachód słońca. Dzieci bawiły się w piasku, a my piliśmy herbatę.',
  ],
  czech: ['Příliš žluťoučký kůň úpěl ďábelské ódy. Schůzka začíná ve čtvrtek v osm hodin ráno.'],
  hungarian: [
    'Az árvíztűrő tükörfúrógép a műhelyben áll. Kérem, küldje vissza a szerződést péntekig.',
  ],
  russian: [
    'Однажды, в студеную зимнюю пору, я из лесу вышел; был сильный мороз.',
    'Договор аренды заключён на срок до 31 декабря. Арендатор обязуется вносить плату ежемесячно.',
  ],
  ukrainian: ['Зустріч відбудеться у п’ятницю. Її організовує наш відділ, і всі запрошені прийти.'],
  greek: ['Η συνάντηση θα γίνει την Παρασκευή στις οκτώ το πρωί στο γραφείο της οδού Ερμού.'],
  hebrew: ['הפגישה תתקיים ביום שישי בשעה שמונה בבוקר במשרד ברחוב הרצל.'],
  arabic: ['سيعقد الاجتماع يوم الجمعة في الساعة الثامنة صباحا في المكتب الجديد بالمدينة.'],
  turkish: [
    'Toplantı cuma günü sabah saat sekizde yeni ofiste yapılacak. Lütfen geç kalmayınız, çünkü gündem yoğun.',
  ],
  japanese: [
    '会議は金曜日の午前八時から新しい事務所で行われます。資料を忘れずに持ってきてください。',
    'カタログの価格は税込みです。',
  ],
  chinese: ['会议将于星期五上午八点在新办公室举行，请大家准时参加，并带上合同的副本。'],
  taiwanese: ['會議將於星期五上午八點在新辦公室舉行，請大家準時參加，並帶上合約的副本。'],
  korean: ['회의는 금요일 오전 여덟 시에 새 사무실에서 열립니다. 계약서 사본을 가져오세요.'],
};

const CASES: [charset: string, language: keyof typeof TEXTS][] = [
  ['windows-1252', 'german'],
  ['iso-8859-1', 'french'],
  ['iso-8859-1', 'spanish'],
  ['iso-8859-15', 'german'],
  ['cp850', 'german'],
  ['macintosh', 'german'],
  ['macintosh', 'french'],
  ['windows-1250', 'polish'],
  ['iso-8859-2', 'polish'],
  ['windows-1250', 'czech'],
  ['iso-8859-2', 'czech'],
  ['windows-1250', 'hungarian'],
  ['windows-1251', 'russian'],
  ['windows-1251', 'ukrainian'],
  ['koi8-r', 'russian'],
  ['cp866', 'russian'],
  ['iso-8859-5', 'russian'],
  ['windows-1253', 'greek'],
  ['iso-8859-7', 'greek'],
  ['windows-1255', 'hebrew'],
  ['windows-1256', 'arabic'],
  ['windows-1254', 'turkish'],
  ['shift_jis', 'japanese'],
  ['euc-jp', 'japanese'],
  ['gb18030', 'chinese'],
  ['gbk', 'chinese'],
  ['big5', 'taiwanese'],
  ['euc-kr', 'korean'],
  ['utf-8', 'korean'],
  ['utf-16le', 'russian'],
  ['utf-16be', 'german'],
  ['utf-16le', 'japanese'],
  ['utf-16be', 'korean'],
];

const read = (bytes: Uint8Array): string => decode(bytes, detectCharset(bytes) ?? 'none');

describe.for(CASES)('the charset %s of text in %s', ([charset, language]) => {
  test.for(TEXTS[language] ?? [])('%s is decoded', (text) => {
    // Characters outside a charset are replaced.
    const written = iconv.decode(iconv.encode(text, charset), charset).replaceAll('?', '.');
    expect(read(iconv.encode(written, charset))).toBe(written.replace(/^\ufeff/, ''));
  });
});

test('file names of an archive are decoded in one plausible charset', () => {
  const names = (charset: string, ...texts: string[]): string => {
    const raw = texts.map((text) => iconv.encode(text, charset));
    const guess = charsetOfNames(raw);
    return raw.map((name) => decode(name, guess)).join(' ');
  };
  expect(names('cp437', 'Größe.txt', 'Café/menü.pdf')).toBe('Größe.txt Café/menü.pdf');
  expect(names('cp850', 'Übersicht.txt', 'naïf/été.pdf')).toBe('Übersicht.txt naïf/été.pdf');
  expect(names('cp866', 'Договор аренды.doc')).toBe('Договор аренды.doc');
  expect(names('windows-1252', 'Grüße.txt')).toBe('Grüße.txt');
  expect(names('windows-1252', 'Müller.txt')).toBe('Müller.txt');
  expect(names('windows-1252', 'L’été à Málaga.pdf')).toBe('L’été à Málaga.pdf');
  expect(names('windows-1251', 'Договор аренды.doc')).toBe('Договор аренды.doc');
  expect(names('shift_jis', '会議の資料.pdf', '予算.xlsx')).toBe('会議の資料.pdf 予算.xlsx');
  expect(names('gb18030', '会议资料.pdf', '预算报告.xlsx')).toBe('会议资料.pdf 预算报告.xlsx');
  expect(names('utf-8', 'déjà.txt')).toBe('déjà.txt');
  expect(names('ascii', 'plain.txt')).toBe('plain.txt');
});

test('any UTF-8 text is decoded unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const visible = text.replace(/\p{Cc}/gu, '').replace(/^\ufeff+/, '');
      expect(read(Buffer.from(visible))).toBe(visible);
    }),
  );
});
