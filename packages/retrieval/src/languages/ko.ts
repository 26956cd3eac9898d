import type { LanguagePack } from './language.ts';

export const korean: LanguagePack = {
  code: 'ko',
  stopWords: 'kor',
  script: /\p{Script=Hangul}/u,
  question: {
    quantity: '얼마|몇',
    time: '언제',
    person: '누구|누가',
    place: '어디',
    reason: '왜',
    manner: '어떻게',
  },
  recommended: {
    heading: '“{}”에 대해 무엇을 알아야 하나요?',
    amount: '“{title}”에 적힌 {} 금액은 얼마인가요?',
    field: '“{title}”에 적힌 {} 항목의 내용은 무엇인가요?',
    ofRow: '{row}의 {}',
    title: '“{title}”은 어떤 내용인가요?',
    phrase: '“{}”에 대한 내용은 어디에 있나요?',
  },
};
