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
};
