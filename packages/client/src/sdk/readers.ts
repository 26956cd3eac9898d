import type * as models from './models.ts';
import {
  date,
  derive,
  flag,
  list,
  nullable,
  number,
  numbers,
  optional,
  pair,
  record,
  text,
} from './shape.ts';

const PLACES = ['page', 'slide', 'sheet', 'row', 'line'] as const;

function placeOf(location: models.Location): string {
  let place = PLACES.filter((name) => location[name] !== undefined)
    .map((name) => `${name} ${location[name]}`)
    .join(', ');
  if (location.startMs !== undefined) {
    const seconds = Math.floor(location.startMs / 1000);
    place = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }
  return [location.path, place].filter(Boolean).join(', ');
}

export const location = derive(
  record<Omit<models.Location, 'toString'>>({
    page: ['page', optional(number)],
    slide: ['slide', optional(number)],
    sheet: ['sheet', optional(text)],
    row: ['row', optional(number)],
    line: ['line', optional(number)],
    startMs: ['startMs', optional(number)],
    endMs: ['endMs', optional(number)],
    path: ['path', optional(text)],
  }),
  // Not to be seen when the place is printed, compared or sent on.
  (found): models.Location =>
    Object.defineProperty(found, 'toString', { value: () => placeOf(found), enumerable: false }),
);

export const citation = record<models.Citation>({
  n: ['n', number],
  fileId: ['artifactId', text],
  fileName: ['fileName', text],
  path: ['path', nullable(text)],
  location: ['location', location],
  quote: ['quote', text],
  start: ['start', number],
  end: ['end', number],
});

const newerFile = record<models.NewerFile>({
  fileId: ['artifactId', text],
  fileName: ['fileName', text],
});

export const foundSection = record<models.FoundSection>({
  n: ['n', number],
  fileId: ['artifactId', text],
  fileName: ['fileName', text],
  path: ['path', nullable(text)],
  location: ['location', location],
  start: ['start', number],
  end: ['end', number],
  text: ['text', text],
  highlights: ['highlights', list(pair)],
  score: ['score', number],
  newer: ['newer', nullable(newerFile)],
});

export const relatedFile = record<models.RelatedFile>({
  fileId: ['artifactId', text],
  groupId: ['artifactGroupId', text],
  archived: ['artifactArchived', flag],
  textPreview: ['artifact_text', nullable(text)],
  createdBy: ['createdBy', text],
  createdAt: ['createdDate', date],
  fileName: ['fileName', text],
  path: ['path', nullable(text)],
  storageKey: ['filePathS3', text],
  mediaType: ['fileType', text],
  url: ['presignedUrl', text],
  score: ['score', number],
  size: ['size', number],
  status: ['status', text],
  userId: ['userId', text],
});

const explanation = record<models.Explanation>({
  passages: [
    'passages',
    list(
      record<models.ExplainedPassage>({
        fileId: ['artifactId', text],
        start: ['start', number],
        end: ['end', number],
        scores: ['scores', numbers],
      }),
    ),
  ],
  terms: ['terms', list(text)],
  stages: [
    'stages',
    list(record<models.ExplainedStage>({ name: ['name', text], ms: ['ms', number] })),
  ],
});

const withText = <T extends { answers: string[] }>(found: T): T & { text: string } => ({
  ...found,
  text: found.answers.join('\n\n'),
});

export const answer = derive(
  record<Omit<models.Answer, 'text'>>({
    question: ['text', text],
    answers: ['answers', list(text)],
    createdAt: ['date', date],
    recommendations: ['recommendations', list(text)],
    id: ['history_id', text],
    audio: ['audio_file', nullable(text)],
    relatedFiles: ['similar_vectors', list(relatedFile)],
    citations: ['citations', list(citation)],
    grounded: ['grounded', flag],
    nearest: ['nearest', list(citation)],
    mode: ['mode', text],
    found: ['found', list(foundSection)],
    unverified: ['unverified', list(text)],
    notice: ['notice', nullable(text)],
    writtenBy: ['writtenBy', nullable(text)],
    explain: ['explain', optional(explanation)],
  }),
  withText,
);

export const file = derive(
  record<Omit<models.File, 'settled'> & { stage: string }>({
    id: ['artifactId', text],
    groupId: ['artifactGroupId', text],
    mediaType: ['artifactFileType', text],
    name: ['artifactFileName', text],
    size: ['artifactFileSize', number],
    storageKey: ['artifactFilePathS3', text],
    archived: ['artifactArchived', flag],
    createdAt: ['artifactCreatedDate', date],
    updatedAt: ['artifactUpdatedDate', date],
    createdBy: ['artifactCreatedBy', text],
    updatedBy: ['artifactUpdatedBy', text],
    device: ['deviceUsed', nullable(text)],
    status: ['uploadStatus', text],
    statusReason: ['statusReason', nullable(text)],
    progress: ['progress', number],
    stage: ['stage', text],
    durationMs: ['durationMs', nullable(number)],
    thumbnailUrl: ['thumbnailUrl', nullable(text)],
    keywords: ['keywords', list(text)],
    userId: ['userId', text],
    searchable: ['isVectorReady', flag],
    textPreview: ['artifactText', nullable(text)],
    source: ['source', text],
    path: ['path', nullable(text)],
    modifiedAt: ['modifiedAt', nullable(date)],
    matchedLine: ['matchedLine', optional(text)],
  }),
  // The API's second word for the status is left out.
  ({ stage, ...found }): models.File => ({
    ...found,
    settled: stage === 'ready' || stage === 'failed',
  }),
);

export const uploadedFile = record<models.UploadedFile>({
  id: ['artifactId', text],
  name: ['fileName', text],
  duplicate: ['duplicate', flag],
});

export const uploadReport = record<Omit<models.UploadReport, 'files'>>({
  groupId: ['artifactGroupId', text],
  uploaded: ['artifacts', list(uploadedFile)],
  rejected: [
    'rejected',
    list(
      record<models.RejectedFile>({
        name: ['fileName', text],
        message: ['message', text],
        code: ['code', text],
      }),
    ),
  ],
});

export const fileLink = record<models.FileLink>({
  url: ['presignedUrl', text],
  expiresAt: ['expiresAt', date],
  fileName: ['fileName', text],
  mediaType: ['fileType', text],
  size: ['size', number],
  thumbnailUrl: ['thumbnailUrl', nullable(text)],
});

export const fileChanges = record<models.FileChanges>({
  done: ['done', list(text)],
  refused: [
    'refused',
    list(
      record<models.RefusedChange>({
        code: ['code', text],
        message: ['message', text],
        ids: ['ids', list(text)],
      }),
    ),
  ],
});

export const zipLink = record<models.ZipLink>({
  url: ['url', text],
  expiresAt: ['expiresAt', date],
  files: ['files', number],
  bytes: ['bytes', number],
});

export const segment = record<models.Segment>({
  start: ['start', number],
  end: ['end', number],
  location: ['location', location],
  kind: ['kind', text],
  headings: ['headings', list(text)],
});

export const fileView = record<models.FileView>({
  html: ['html', text],
  complete: ['complete', flag],
});

export const word = record<models.Word>({
  start: ['start', number],
  end: ['end', number],
  left: ['left', number],
  top: ['top', number],
  width: ['width', number],
  height: ['height', number],
});

export const keyword = record<models.Keyword>({
  id: ['id', text],
  keyword: ['keyword', text],
  active: ['isActive', flag],
  default: ['isDefault', flag],
  createdAt: ['createdDate', date],
  files: ['files', nullable(number)],
});

const chosenFile = record<models.ChosenFile>({
  artifactId: ['artifactId', text],
  fileName: ['fileName', text],
});

export const historyEntry = derive(
  record<Omit<models.HistoryEntry, 'text'>>({
    id: ['id', text],
    question: ['searchText', text],
    createdAt: ['date', date],
    latitude: ['latitude', nullable(number)],
    longitude: ['longitude', nullable(number)],
    ip: ['ip', nullable(text)],
    device: ['device', nullable(text)],
    userId: ['userId', text],
    answers: ['answers', list(text)],
    audio: ['audioFile', nullable(text)],
    recommendations: ['recommendations', list(text)],
    relatedFiles: ['similarVectors', list(relatedFile)],
    citations: ['citations', list(citation)],
    grounded: ['grounded', flag],
    nearest: ['nearest', list(citation)],
    mode: ['mode', text],
    found: ['found', list(foundSection)],
    unverified: ['unverified', list(text)],
    notice: ['notice', nullable(text)],
    writtenBy: ['writtenBy', nullable(text)],
    after: ['follows', nullable(text)],
    thread: ['thread', text],
    keywords: ['keywords', list(text)],
    files: ['chosenFiles', list(chosenFile)],
    saved: ['isBookmark', flag],
    archived: ['isArchived', flag],
  }),
  withText,
);

export const historyThread = record<models.HistoryThread>({
  id: ['id', text],
  thread: ['thread', text],
  question: ['searchText', text],
  createdAt: ['date', date],
  turns: ['turns', number],
  times: ['times', number],
  found: ['found', nullable(text)],
  saved: ['isBookmark', flag],
  archived: ['isArchived', flag],
});

export const profile = record<models.Profile>({
  id: ['id', text],
  email: ['email', text],
  name: ['name', nullable(text)],
  altEmail: ['altEmail', nullable(text)],
  phone: ['phone', nullable(text)],
  role: ['role', text],
  country: ['country', nullable(text)],
  profileImage: ['profileImage', nullable(text)],
  ip: ['ip', nullable(text)],
  device: ['device', nullable(text)],
  location: ['location', nullable(text)],
  createdAt: ['createdDate', date],
  agreedTerms: ['isAgreedTerms', flag],
  deviceTimeZone: ['deviceTimeZone', flag],
});

export const transcript = record<{ text: string }>({ text: ['text', text] });

export const checkedFile = record<models.CheckedFile>({
  sha256: ['sha256', text],
  state: ['state', text],
  fileId: ['artifactId', nullable(text)],
  reason: ['reason', nullable(text)],
});

const deviceReport = record<Required<models.DeviceReport>>({
  folders: [
    'folders',
    list(
      record<models.FolderReport>({
        name: ['name', text],
        state: ['state', text],
        files: ['files', number],
        waiting: ['waiting', number],
        refused: ['refused', number],
      }),
    ),
  ],
  refused: [
    'refused',
    list(
      record<{ path: string; reason: string }>({ path: ['path', text], reason: ['reason', text] }),
    ),
  ],
  currentAt: ['currentAt', nullable(date)],
});

export const device = record<models.Device>({
  id: ['id', text],
  name: ['name', text],
  platform: ['platform', text],
  version: ['version', text],
  createdAt: ['createdAt', date],
  lastSeenAt: ['lastSeenAt', date],
  report: ['report', nullable(deviceReport)],
  paused: ['paused', flag],
  syncAskedAt: ['syncAskedAt', nullable(date)],
});
