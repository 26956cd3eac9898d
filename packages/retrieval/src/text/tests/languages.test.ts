import { describe, expect, test } from 'vitest';
import { detectLanguage } from '../languages.ts';

describe('detectLanguage', () => {
  test.each([
    ['The rent is due on the first day of every month and is paid by bank transfer.', 'en'],
    ['Die Miete ist am ersten Tag des Monats fällig und wird überwiesen.', 'de'],
    ['La facture est payable à trente jours, fin de mois, par virement.', 'fr'],
    ['Договор аренды был подписан в Москве первого сентября этого года.', 'ru'],
    ['東京は日本の首都です。', 'ja'],
    ['北京是中国的首都。', 'zh'],
    ['서울은 대한민국의 수도입니다.', 'ko'],
    ['مرحبا بكم في المدينة القديمة على شاطئ البحر', 'ar'],
    ['שלום לכולם', 'he'],
  ])('%s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });

  test.each(['', '42', 'ok', 'INV-2024-001', '\n\t'])('%j is too short to tell', (text) => {
    expect(detectLanguage(text)).toBe('en');
  });
});
