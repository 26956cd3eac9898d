import { expect, test } from 'vitest';
import { detectLanguage } from '../languages.ts';
import { findSections } from '../../tests/library.test-setup.ts';
import type { TestFile } from '../../tests/library.test-setup.ts';

const TEXTS: Record<string, string> = {
  'Häuser.txt':
    'Die alten Häuser am Hafen wurden 1897 gebaut. Der Architekt Emil Brandt entwarf sie für die Reederei.',
  'Mietvertrag.txt':
    'Die Miete für die Wohnung beträgt 950 Euro im Monat. Sie ist am dritten Werktag fällig.',
  'договор.txt':
    'Договор аренды был подписан в Москве 12 мая 2019 года. Арендатором является компания «Север».',
  'рецепт.txt': 'Борщ варят со свёклой и капустой. Подают его горячим со сметаной.',
  'مدينة.txt': 'تقع المدينة القديمة على شاطئ البحر. بنى السلطان القلعة في عام 1520.',
  'كتاب.txt': 'ألف الكاتب نجيب هذا الكتاب في القاهرة. يروي الكتاب قصة عائلة كبيرة.',
  '東京.txt': '東京は日本の首都です。東京の人口は約1400万人です。',
  '京都.txt': '京都には古い寺がたくさんあります。秋の紅葉が有名です。',
  'facture.txt':
    "La facture de l'électricité s'élève à 84 euros. Elle est payable avant le 15 juin.",
  'rent.txt': 'The yearly fee of the sailing club is 120 euros. It covers the boat house.',
};
const FILES = Object.entries(TEXTS).map(([name, text]): TestFile => ({
  name,
  blocks: [text],
  language: detectLanguage(text),
}));
const LANGUAGES = ['en', 'de', 'ru', 'ar', 'ja', 'fr'];

test.each([
  ['Wann wurde das Haus am Hafen gebaut?', 'Häuser.txt', '1897'],
  ['Wie hoch ist die Miete der Wohnungen?', 'Mietvertrag.txt', '950'],
  ['Когда подписали договор об аренде?', 'договор.txt', '2019'],
  ['Где был подписан договор?', 'договор.txt', 'Москве'],
  ['Wie heißt der Architekt der Häuser?', 'Häuser.txt', 'Emil Brandt'],
  ['Wann ist die Miete fällig?', 'Mietvertrag.txt', 'dritten Werktag'],
  ['С чем подают борщ?', 'рецепт.txt', 'сметаной'],
  ['متى بنيت القلعة؟', 'مدينة.txt', '1520'],
  ['من ألف الكتاب في القاهرة؟', 'كتاب.txt', 'نجيب'],
  ['京都で有名なものは何ですか？', '京都.txt', '紅葉'],
  ['東京の人口は何人ですか？', '東京.txt', '1400万人'],
  ['Quel est le montant de la facture d’électricité ?', 'facture.txt', '84'],
  ['What is the yearly fee of the sailing club?', 'rent.txt', '120'],
])('the first section has the answer: %s', (text, fileName, answer) => {
  const [section] = findSections(FILES, text, LANGUAGES);
  expect(section?.fileName).toBe(fileName);
  expect(section?.text).toContain(answer);
});
