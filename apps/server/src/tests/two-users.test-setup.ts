/** Acts on the caller alone: nothing in it can name a thing of somebody else. */
export const OWN = 'own';
/** Public: it returns no data of a user except what the user shared by a link. */
export const OPEN = 'open';
export const ADMIN = 'admin';

/** How somebody tries a call on another person's things; `{name}` stands for an id of those. */
export interface Attempt {
  /** The address, where parameters or a query are in it. */
  path?: string;
  body?: unknown;
  /** Fields of a form, which has a file too. */
  form?: Record<string, string>;
  /** The status that the attempt is refused with; else 404. */
  refused?: 400 | 403;
  /** What is answered, where the call takes several things and passes over what is not the caller's. */
  passedOver?: unknown;
}

export type Access = typeof OWN | typeof OPEN | typeof ADMIN | Attempt;

const email = { email: '{email}' };
const aDevice = { name: 'Home-PC', platform: 'Linux', version: '0.1.0' };
const card = { cardNumber: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' };

/**
 * What each call is to another person, by its id; those that destroy come last. Attempts are made by
 * a stranger with the ids of somebody's things, and afterwards by the owner, for whom they work.
 */
export const ACCESS: Record<string, Access> = {
  'auth.generateCode': OPEN,
  'auth.validateCode': OPEN,
  'auth.signInWithLink': OPEN,
  'auth.socialSignIn': OPEN,
  'auth.startSocialSignIn': OPEN,
  'auth.refreshSession': OPEN,
  'auth.confirmSession': OWN,
  'auth.logout': OWN,
  'sessions.listSessions': OWN,
  'passkeys.listPasskeys': OWN,
  'passkeys.startPasskey': OWN,
  'passkeys.addPasskey': {
    body: {
      name: 'Stolen',
      credential: {
        id: '{credential}',
        rawId: '{credential}',
        type: 'public-key',
        response: { clientDataJSON: '{clientData}', attestationObject: '{attestation}' },
      },
    },
    refused: 400,
  },
  'passkeys.renamePasskey': { path: '/passkeys/{passkey}', body: { name: 'Stolen' } },
  'passkeys.startPasskeySignIn': OPEN,
  'passkeys.signInWithPasskey': OPEN,
  'securityEvents.listSecurityEvents': OWN,
  'profile.getProfile': OWN,
  'profile.updateProfile': { body: { ...email, name: 'Mallory' }, refused: 403 },
  'profile.uploadProfileImage': OWN,
  'profile.deleteProfileImage': OWN,
  'questionnaire.listQuestions': OWN,
  'questionnaire.listAnsweredQuestions': OWN,
  'questionnaire.answerQuestions': OWN,
  // Of the machine, and no person's: 'features/models' tests who may change them.
  'models.listModels': OWN,
  'models.getModel': OWN,
  'models.pauseModel': OWN,
  'models.chooseModel': OWN,
  'models.removeModel': OWN,
  'admin.listEmails': ADMIN,
  'admin.listUsers': ADMIN,
  'admin.listAudit': ADMIN,
  'admin.listAllLedger': ADMIN,
  'subscription.getMetrics': OWN,
  'subscription.getBilling': OWN,
  'subscription.listPlans': OWN,
  'subscription.listLedger': OWN,
  'subscription.listCredits': ADMIN,
  'subscription.addCredits': ADMIN,
  'subscription.addCreditsByPut': ADMIN,
  'payments.stripeWebhook': OPEN,
  'payments.readPaymentDocument': OPEN,
  'payments.createCheckoutSession': { body: { ...email, priceId: '{price}' }, refused: 403 },
  'payments.createSubscription': { body: { ...email, priceId: '{price}' }, refused: 403 },
  'payments.listInvoices': { path: '?email={email}', refused: 403 },
  'payments.getSessionDetails': { path: '?session_id={checkout}' },
  'payments.getSandboxCheckout': { path: '/sandbox/checkout/{checkoutSecret}' },
  'payments.paySandboxCheckout': { path: '/sandbox/checkout/{checkoutSecret}/pay', body: card },
  'payments.updatePlan': { body: { ...email, priceId: '{price}' }, refused: 403 },
  'payments.cancelSubscription': { body: email, refused: 403 },
  'payments.resumeSubscription': { body: email, refused: 403 },
  'payments.previewPlan': OWN,
  'apiKeys.listApiKeys': OWN,
  'apiKeys.generateApiKey': OWN,
  'connections.listConnections': OWN,
  'connections.openConnectionRequest': OPEN,
  'connections.getConnectionRequest': OWN,
  'connections.allowConnection': OWN,
  'connections.denyConnection': OWN,
  'connections.getDeviceRequest': OWN,
  'connections.allowDevice': OWN,
  'connections.denyDevice': OWN,
  'connector.listConnectorBuilds': OPEN,
  'connector.getConnectorBuild': OPEN,
  'devices.listDevices': OWN,
  'devices.reportDevice': { body: { ...aDevice, id: '{device}' } },
  'devices.steerDevice': { path: '/devices/{device}', body: { paused: true } },
  'artifacts.checkArtifacts': OWN,
  'artifacts.placeArtifact': {
    path: '/artifacts/{file}/place',
    body: { path: 'Stolen/Lease.txt', deviceId: '{device}' },
  },
  'artifacts.uploadArtifacts': { form: { deviceId: '{device}' } },
  'artifacts.listArtifacts': OWN,
  'artifacts.saveWebPage': OWN,
  'artifacts.searchReady': OWN,
  'artifacts.readSignedFile': OPEN,
  'artifacts.openArtifact': { path: '/artifacts/{file}/{owner}/Lease.txt' },
  'artifacts.getArtifactText': { path: '/artifacts/{file}/text' },
  'artifacts.getArtifactSegments': { path: '/artifacts/{file}/segments' },
  'artifacts.getArtifactView': { path: '/artifacts/{file}/view' },
  'artifacts.getArtifactWords': { path: '/artifacts/{file}/words' },
  'artifacts.getArtifact': { path: '/artifacts/{file}' },
  'artifacts.renameArtifact': { path: '/artifacts/{file}/name', body: { name: 'Stolen' } },
  'artifacts.changeArtifacts': { body: { verb: 'tag', keywords: ['Stolen'], ids: ['{file}'] } },
  'artifacts.zipArtifacts': { body: { ids: ['{file}'] } },
  'artifacts.readZip': OPEN,
  'artifacts.signArtifact': { path: '/artifacts/{file}/link' },
  'artifacts.retryArtifact': { path: '/artifacts/{file}/retry' },
  'artifacts.setArtifactArchived': { path: '/artifacts/{file}/true' },
  'artifacts.editNote': { path: '/artifacts/{file}/note', body: { text: 'Another text' } },
  'artifacts.setArtifactKeywords': { body: { artifactId: '{file}', keywords: [] } },
  'keywords.listKeywords': OWN,
  'keywords.addKeyword': OWN,
  'keywords.addKeywordByBody': OWN,
  'keywords.setKeywordActive': { path: '/keywords/{keyword}/false' },
  'keywords.setKeywordActiveByPost': { path: '/keywords/{keyword}/false' },
  'search.search': { body: { text: 'And then?', after: '{entry}', audio: false } },
  'search.transcribe': OWN,
  'suggestions.suggestions': OWN,
  'recommendations.recommendedQuestions': OWN,
  'history.todaysHistory': OWN,
  'history.listHistory': OWN,
  'history.listThreads': OWN,
  'history.historyThread': { path: '?id={entry}' },
  'history.getHistoryEntry': { path: '?id={entry}' },
  'history.historyAudio': { path: '/search/history/{entry}/audio' },
  'history.updateHistory': { body: { historyId: '{entry}', isBookmark: true } },
  'shares.createShare': { body: { historyId: '{entry}' } },
  'shares.listShares': OWN,
  'shares.getSharedAnswer': OPEN,
  'portability.exportAccount': OWN,
  'portability.signExport': OWN,
  'portability.readSignedExport': OPEN,
  'portability.importAccount': OWN,
  'location.nameLocation': OPEN,
  'blog.listBlogPosts': OPEN,
  'blog.getBlogPost': OPEN,
  'system.appSettings': OPEN,
  'system.health': OPEN,
  'system.live': OPEN,
  'system.ready': OPEN,
  'system.ip': OPEN,
  'system.openApi': OPEN,
  'system.reference': OPEN,
  'system.status': OWN,
  'sessions.endSession': { path: '/sessions/{session}' },
  'sessions.endSessions': OWN,
  'passkeys.removePasskey': { path: '/passkeys/{passkey}' },
  'apiKeys.revokeApiKey': { path: '/api/keys/{key}' },
  'devices.endDevice': { path: '/devices/{device}' },
  'connections.endConnection': { path: '/connections/{connection}' },
  'connections.endConnections': OWN,
  'shares.deleteShare': { path: '/shares/{share}' },
  'artifacts.deleteArtifacts': { body: ['{file}'], passedOver: [] },
  'artifacts.deleteArtifact': { path: '/artifacts/{note}' },
  'artifacts.deleteAllArtifacts': OWN,
  'history.deleteHistory': OWN,
  'profile.deleteAccount': { body: email, refused: 403 },
  'profile.deleteAccountByPut': { body: email, refused: 403 },
};
