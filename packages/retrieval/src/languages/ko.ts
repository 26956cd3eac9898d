import type { LanguagePack } from './language.ts';

export const korean: LanguagePack = {
  code: 'ko',
  stopWords: 'kor',
  script: /\p{Script=Hangul}/u,
  recommended: {
    how: '어떻게',
    heading: '“{}”에 대해 무엇을 알아야 하나요?',
    amount: '“{title}”에 적힌 {} 금액은 얼마인가요?',
    field: '“{title}”에 적힌 {} 항목의 내용은 무엇인가요?',
    ofRow: '{row}의 {}',
    title: '“{title}”은 어떤 내용인가요?',
    phrase: '“{}”에 대한 내용은 어디에 있나요?',
  },
};
