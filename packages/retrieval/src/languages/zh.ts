import type { LanguagePack } from './language.ts';

export const chinese: LanguagePack = {
  code: 'zh',
  secrets: '密码',
  stopWords: 'zho',
  script: /\p{Script=Han}/u,
  time: {
    units: { week: '个?星期|个?礼拜' },
    phrases: {
      'week 0': '这周|这个星期',
      'week 1': '上个?周',
      'month 0': '这个月',
      'month 1': '上月',
    },
    last: '上|过去|最近',
    weekend: '上周末',
    seasons: ['春天', '夏天', '秋天', '冬天'],
    ordinals: ['一', '二', '三', '四'],
    quarter: '第{}季度',
  },
  measures: { kg: '公斤' },
  uploads: {
    picture: '图片|照片',
    spreadsheet: '表格',
    presentation: '演示文稿',
    recording: '录音|音频',
    video: '视频',
    files: '文件|文档',
    uploaded: '(?:上传|添加)(?:了|的)?',
    newest: '最新|最近',
    list: '所有|哪些|什么|多少|列出|我|的|了|哪|几个|个|有|显示|给|看|在|是',
  },
  instructions: {
    toModels: [/(?:忽略|无视|忘记)[^。！？\n]{0,30}(?:指令|指示|规则|提示)/u],
    words: '指令',
  },
  recommended: {
    how: '怎么|如何',
    heading: '关于“{}”需要知道什么？',
    amount: '“{title}”中的{}是多少？',
    field: '“{title}”中的{}是什么？',
    ofRow: '{row}的{}',
    title: '“{title}”讲了什么？',
    phrase: '哪里提到了“{}”？',
  },
  claims: { not: '不(?!同|断|仅|但|久|错)|没有?|禁止|无法|未(?!来)' },
};
