import type { LanguagePack } from './language.ts';

export const japanese: LanguagePack = {
  code: 'ja',
  secrets: 'パスワード|暗証',
  stopWords: 'jpn',
  script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u,
  time: {
    phrases: { 'day 1': 'きのう', 'day 2': 'おととい', 'year 1': '去年' },
    last: '過去|最近',
    weekend: '先週末',
    ordinals: ['一', '二', '三', '四'],
    quarter: '第{}四半期',
    seasons: ['春(?![菊巻])', '夏(?!至)', '秋', '冬(?![眠至])'],
  },
  measures: { day: '天', week: '周', month: 'ヶ月' },
  uploads: {
    pdf: 'pdf(?:ファイル)?',
    picture: '写真|画像',
    spreadsheet: 'スプレッドシート|表計算|エクセル',
    presentation: 'プレゼンテーション|プレゼン|スライド',
    recording: '録音|音声',
    video: '動画|ビデオ',
    files: 'ファイル|文書|書類|ドキュメント',
    uploaded: '(?:アップロード|追加|保存|登録)(?:しました|した)?|アップした',
    newest: '最新|最近',
    list: '[のはをがにでとやもか、。？！]|見せて(?:ください)?|教えて(?:ください)?|表示(?:して)?(?:ください)?|一覧|リスト|何[個枚件本]?|どれ|どの|すべて|全部|私|僕|いくつ|ありますか|あります|ください|しました|ました|した',
  },
  instructions: {
    toModels: [
      /(?:指示|命令|ルール)[^。！？\n]{0,12}無視|(?:と|って)(?:答え|回答し)(?:て|なさい|ろ)/u,
    ],
    words: '指示',
  },
  recommended: {
    how: 'どうやって',
    heading: '「{}」について知っておくべきことは何ですか？',
    amount: '「{title}」によると{}はいくらですか？',
    field: '「{title}」によると{}は何ですか？',
    ofRow: '{row}の{}',
    title: '「{title}」には何がありますか？',
    phrase: '「{}」はどこに出てきますか？',
  },
  claims: { not: 'ない|ません|なかった|ず(?:に|、|。|$)|禁止' },
};
