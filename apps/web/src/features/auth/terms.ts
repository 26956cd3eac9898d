/** The terms, shown when they are accepted and on their own page. */
export const terms: { title: string; text: string[] }[] = [
  {
    title: 'Acceptance of terms',
    text: [
      'By signing in to this Engram server you accept these terms. If you do not accept them, please do not use it.',
      'You must be at least 18 years old, or of the legal age of majority where you live.',
    ],
  },
  {
    title: 'Changes to these terms',
    text: [
      'Whoever runs this server may change these terms. A change that matters is shown to you before you go on using the server; if you do not agree with it, you can take your files with you and delete them here.',
    ],
  },
  {
    title: 'User account',
    text: [
      'You sign in with a code that is sent to your e-mail address, or with Google where this server offers it, so whoever can read your mail or use your Google account can sign in as you. Keep your mailbox safe, and sign out on devices that are not yours.',
      'You are responsible for what is done with your account.',
      'Paid plans: the price and the period are shown before you pay. A plan that is cancelled runs to the end of the period that is paid for. Where this server has no payment provider, plans are tried in a sandbox, and no money moves.',
      'Termination: you can end this agreement at any time by deleting your account. Whoever runs this server may close an account that breaks these terms, and lets you export your files before, unless the law or the safety of others stands against it.',
    ],
  },
  {
    title: 'Product use',
    text: [
      'Upload only what you are allowed to keep and process. Do not upload anything unlawful, do not try to reach other people’s files, and do not burden the server on purpose.',
      'AI content: answers quote your own files or are written from them by a language model, with the place each passage was found. They can be incomplete or wrong, and are no legal, medical or financial advice: check the source before you rely on an answer.',
    ],
  },
  {
    title: 'Intellectual property',
    text: [
      'Your files and notes stay yours. You allow this server to store and process them for one purpose only: to show them to you and to answer your questions.',
      'Engram itself is free software under the Apache License 2.0.',
    ],
  },
  {
    title: 'Limitation of liability',
    text: [
      'Engram is provided as it is, without warranty of any kind. As far as the law allows, neither its authors nor whoever runs this server is liable for lost data or for decisions made on the strength of an answer. Keep your own copies of what matters.',
    ],
  },
  {
    title: 'Privacy',
    text: [
      'Your files, questions and answers are kept on this server. What leaves it, and when, stands in the Privacy Policy.',
    ],
  },
  {
    title: 'Governing law',
    text: [
      'These terms are governed by the law of the place where whoever runs this server is established. Rights that the law of your own country gives you as a consumer stay untouched.',
    ],
  },
];
