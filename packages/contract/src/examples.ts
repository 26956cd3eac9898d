/** A file that an example sends. */
export interface ExampleFile {
  name: string;
  content: string;
}

/**
 * One call of a route as the documentation shows it. `$NAME` in a value is a variable of the
 * reader's own, such as the id of one of their files.
 */
export interface RouteExample {
  route: string;
  /** What the call opens with; a key where the route takes one. */
  opensWith: 'key' | 'token' | 'nothing';
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** JSON. */
  body?: unknown;
  /** multipart/form-data; files go as parts named `files`, unless the route names another. */
  form?: { fields: Readonly<Record<string, string>>; file?: ExampleFile };
  /** What the answer's message is, where it is not the route's own. */
  message?: string;
}

const artifactId = '$ARTIFACT_ID';
const lease: ExampleFile = {
  name: 'lease.txt',
  content: 'The lease ends with three months notice.\n',
};

/** Of each documented route one call, in the order of the documentation. */
export const examples: readonly RouteExample[] = [
  {
    route: 'auth.generateCode',
    opensWith: 'nothing',
    body: { email: '$EMAIL' },
  },
  {
    route: 'auth.validateCode',
    opensWith: 'nothing',
    body: { email: '$EMAIL', code: '$CODE' },
  },
  {
    route: 'apiKeys.generateApiKey',
    opensWith: 'token',
    params: { name: 'Nightly import' },
  },
  { route: 'apiKeys.listApiKeys', opensWith: 'token' },
  { route: 'apiKeys.revokeApiKey', opensWith: 'token', params: { id: '$KEY_ID' } },

  {
    route: 'artifacts.uploadArtifacts',
    opensWith: 'key',
    form: { fields: { filesKeywords: '{"lease.txt": ["Home"]}' }, file: lease },
  },
  {
    route: 'artifacts.checkArtifacts',
    opensWith: 'key',
    body: {
      files: [
        {
          sha256: '5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592',
          size: 5120,
          path: 'Papers/tax/2025/notice.pdf',
        },
      ],
    },
  },
  {
    route: 'artifacts.placeArtifact',
    opensWith: 'key',
    params: { artifactId },
    body: { path: 'Papers/home/lease.txt', deviceId: '$DEVICE_ID' },
  },
  {
    route: 'devices.reportDevice',
    opensWith: 'key',
    body: { name: 'Home-PC', platform: 'Windows 11', version: '0.1.0' },
  },
  { route: 'devices.listDevices', opensWith: 'key' },
  { route: 'devices.endDevice', opensWith: 'key', params: { id: '$DEVICE_ID' } },
  {
    route: 'artifacts.searchReady',
    opensWith: 'key',
    message: 'All files you uploaded are ready to search',
  },
  {
    route: 'artifacts.listArtifacts',
    opensWith: 'key',
    query: { limit: '20', sort: '-created' },
  },
  { route: 'artifacts.getArtifactText', opensWith: 'key', params: { artifactId } },
  { route: 'artifacts.signArtifact', opensWith: 'key', params: { artifactId } },
  {
    route: 'artifacts.openArtifact',
    opensWith: 'key',
    params: { artifactId, userId: '$USER_ID', fileName: 'lease.txt' },
  },
  {
    route: 'artifacts.setArtifactKeywords',
    opensWith: 'key',
    body: { artifactId, keywords: ['Home', 'Rent'] },
  },
  {
    route: 'artifacts.setArtifactArchived',
    opensWith: 'key',
    params: { artifactId, archived: 'true' },
  },
  { route: 'artifacts.getArtifact', opensWith: 'key', params: { artifactId } },
  {
    route: 'artifacts.renameArtifact',
    opensWith: 'key',
    params: { artifactId },
    body: { name: 'Lease of the flat' },
  },
  {
    route: 'artifacts.editNote',
    opensWith: 'key',
    params: { artifactId: '$NOTE_ID' },
    body: { text: 'The boiler was serviced in June.' },
  },
  {
    route: 'artifacts.changeArtifacts',
    opensWith: 'key',
    body: { verb: 'tag', ids: [artifactId], keywords: ['Home'] },
  },
  { route: 'artifacts.zipArtifacts', opensWith: 'key', body: { ids: [artifactId] } },
  { route: 'artifacts.deleteArtifact', opensWith: 'key', params: { artifactId } },
  { route: 'artifacts.deleteArtifacts', opensWith: 'key', body: [artifactId] },
  { route: 'artifacts.deleteAllArtifacts', opensWith: 'key' },

  { route: 'keywords.listKeywords', opensWith: 'key' },
  { route: 'keywords.addKeyword', opensWith: 'key', params: { keyword: 'Garden' } },
  {
    route: 'keywords.setKeywordActive',
    opensWith: 'key',
    params: { id: '$KEYWORD_ID', isActive: 'false' },
  },

  {
    route: 'search.search',
    opensWith: 'key',
    body: { text: 'How much notice does the lease need?', audio: false },
  },
  { route: 'suggestions.suggestions', opensWith: 'key' },

  { route: 'history.listHistory', opensWith: 'key', query: { limit: '20' } },
  { route: 'history.todaysHistory', opensWith: 'key' },
  { route: 'history.listThreads', opensWith: 'key', query: { limit: '20', q: 'lease' } },
  { route: 'history.historyThread', opensWith: 'key', query: { id: '$HISTORY_ID' } },
  { route: 'history.getHistoryEntry', opensWith: 'key', query: { id: '$HISTORY_ID' } },
  {
    route: 'history.updateHistory',
    opensWith: 'key',
    body: { historyId: '$HISTORY_ID', isBookmark: true },
  },
  { route: 'history.deleteHistory', opensWith: 'key' },

  { route: 'profile.getProfile', opensWith: 'key' },
  { route: 'profile.updateProfile', opensWith: 'token', body: { name: 'Ann Becker' } },
  { route: 'profile.deleteAccount', opensWith: 'token', body: { email: '$EMAIL' } },

  { route: 'recommendations.recommendedQuestions', opensWith: 'key' },
];
