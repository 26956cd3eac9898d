// Written by `npm run generate` from the routes of this package.
import type * as contract from './index.ts';
import type { CallOf } from './route.ts';

export const addCredits: CallOf<typeof contract.addCredits> = {
  id: 'subscription.addCredits',
  method: 'POST',
  path: '/subscription/update-credits/{userId}/{credits}',
  kind: 'json',
};
export const addCreditsByPut: CallOf<typeof contract.addCreditsByPut> = {
  id: 'subscription.addCreditsByPut',
  method: 'PUT',
  path: '/subscription/update-credits/{userId}/{credits}',
  kind: 'json',
};
export const addKeyword: CallOf<typeof contract.addKeyword> = {
  id: 'keywords.addKeyword',
  method: 'POST',
  path: '/keywords/{keyword}',
  kind: 'json',
};
export const addKeywordByBody: CallOf<typeof contract.addKeywordByBody> = {
  id: 'keywords.addKeywordByBody',
  method: 'POST',
  path: '/keywords/add',
  kind: 'json',
};
export const allowConnection: CallOf<typeof contract.allowConnection> = {
  id: 'connections.allowConnection',
  method: 'POST',
  path: '/connect/{uid}/allow',
  kind: 'json',
};
export const allowDevice: CallOf<typeof contract.allowDevice> = {
  id: 'connections.allowDevice',
  method: 'POST',
  path: '/connect/device/allow',
  kind: 'json',
};
export const answerQuestions: CallOf<typeof contract.answerQuestions> = {
  id: 'questionnaire.answerQuestions',
  method: 'PUT',
  path: '/questionnaire',
  kind: 'json',
};
export const appSettings: CallOf<typeof contract.appSettings> = {
  id: 'system.appSettings',
  method: 'GET',
  path: '/settings',
  kind: 'json',
};
export const cancelSubscription: CallOf<typeof contract.cancelSubscription> = {
  id: 'payments.cancelSubscription',
  method: 'POST',
  path: '/stripe/cancel-subscription',
  kind: 'json',
};
export const changeArtifacts: CallOf<typeof contract.changeArtifacts> = {
  id: 'artifacts.changeArtifacts',
  method: 'POST',
  path: '/artifacts/bulk',
  kind: 'json',
};
export const checkArtifacts: CallOf<typeof contract.checkArtifacts> = {
  id: 'artifacts.checkArtifacts',
  method: 'POST',
  path: '/artifacts/check',
  kind: 'json',
};
export const chooseModel: CallOf<typeof contract.chooseModel> = {
  id: 'models.chooseModel',
  method: 'POST',
  path: '/models/{name}/use',
  kind: 'json',
};
export const confirmSession: CallOf<typeof contract.confirmSession> = {
  id: 'auth.confirmSession',
  method: 'POST',
  path: '/auth/confirm',
  kind: 'json',
};
export const createCheckoutSession: CallOf<typeof contract.createCheckoutSession> = {
  id: 'payments.createCheckoutSession',
  method: 'POST',
  path: '/stripe/create-checkout-session',
  kind: 'json',
};
export const createShare: CallOf<typeof contract.createShare> = {
  id: 'shares.createShare',
  method: 'POST',
  path: '/shares',
  kind: 'json',
};
export const createSubscription: CallOf<typeof contract.createSubscription> = {
  id: 'payments.createSubscription',
  method: 'POST',
  path: '/stripe/create-subscription',
  kind: 'json',
};
export const deleteAccount: CallOf<typeof contract.deleteAccount> = {
  id: 'profile.deleteAccount',
  method: 'DELETE',
  path: '/user/profile/delete-account',
  kind: 'json',
};
export const deleteAccountByPut: CallOf<typeof contract.deleteAccountByPut> = {
  id: 'profile.deleteAccountByPut',
  method: 'PUT',
  path: '/user/profile/delete-account',
  kind: 'json',
};
export const deleteAllArtifacts: CallOf<typeof contract.deleteAllArtifacts> = {
  id: 'artifacts.deleteAllArtifacts',
  method: 'DELETE',
  path: '/artifacts/all',
  kind: 'json',
};
export const deleteArtifact: CallOf<typeof contract.deleteArtifact> = {
  id: 'artifacts.deleteArtifact',
  method: 'DELETE',
  path: '/artifacts/{artifactId}',
  kind: 'json',
};
export const deleteArtifacts: CallOf<typeof contract.deleteArtifacts> = {
  id: 'artifacts.deleteArtifacts',
  method: 'DELETE',
  path: '/artifacts/bulk',
  kind: 'json',
};
export const deleteHistory: CallOf<typeof contract.deleteHistory> = {
  id: 'history.deleteHistory',
  method: 'DELETE',
  path: '/search/history/delete',
  kind: 'json',
};
export const deleteProfileImage: CallOf<typeof contract.deleteProfileImage> = {
  id: 'profile.deleteProfileImage',
  method: 'DELETE',
  path: '/user/profile/image',
  kind: 'json',
};
export const deleteShare: CallOf<typeof contract.deleteShare> = {
  id: 'shares.deleteShare',
  method: 'DELETE',
  path: '/shares/{id}',
  kind: 'json',
};
export const denyConnection: CallOf<typeof contract.denyConnection> = {
  id: 'connections.denyConnection',
  method: 'POST',
  path: '/connect/{uid}/deny',
  kind: 'json',
};
export const denyDevice: CallOf<typeof contract.denyDevice> = {
  id: 'connections.denyDevice',
  method: 'POST',
  path: '/connect/device/deny',
  kind: 'json',
};
export const editNote: CallOf<typeof contract.editNote> = {
  id: 'artifacts.editNote',
  method: 'PUT',
  path: '/artifacts/{artifactId}/note',
  kind: 'json',
};
export const endConnection: CallOf<typeof contract.endConnection> = {
  id: 'connections.endConnection',
  method: 'DELETE',
  path: '/connections/{id}',
  kind: 'json',
};
export const endConnections: CallOf<typeof contract.endConnections> = {
  id: 'connections.endConnections',
  method: 'DELETE',
  path: '/connections',
  kind: 'json',
};
export const endDevice: CallOf<typeof contract.endDevice> = {
  id: 'devices.endDevice',
  method: 'DELETE',
  path: '/devices/{id}',
  kind: 'json',
};
export const endSession: CallOf<typeof contract.endSession> = {
  id: 'sessions.endSession',
  method: 'DELETE',
  path: '/sessions/{sessionId}',
  kind: 'json',
};
export const endSessions: CallOf<typeof contract.endSessions> = {
  id: 'sessions.endSessions',
  method: 'DELETE',
  path: '/sessions',
  kind: 'json',
};
export const exportAccount: CallOf<typeof contract.exportAccount> = {
  id: 'portability.exportAccount',
  method: 'GET',
  path: '/account/export',
  kind: 'file',
};
export const generateApiKey: CallOf<typeof contract.generateApiKey> = {
  id: 'apiKeys.generateApiKey',
  method: 'POST',
  path: '/api/keys/generate/{name}',
  kind: 'json',
};
export const generateCode: CallOf<typeof contract.generateCode> = {
  id: 'auth.generateCode',
  method: 'POST',
  path: '/auth/otp/generate',
  kind: 'json',
};
export const getArtifact: CallOf<typeof contract.getArtifact> = {
  id: 'artifacts.getArtifact',
  method: 'GET',
  path: '/artifacts/{artifactId}',
  kind: 'json',
};
export const getArtifactSegments: CallOf<typeof contract.getArtifactSegments> = {
  id: 'artifacts.getArtifactSegments',
  method: 'GET',
  path: '/artifacts/{artifactId}/segments',
  kind: 'json',
};
export const getArtifactText: CallOf<typeof contract.getArtifactText> = {
  id: 'artifacts.getArtifactText',
  method: 'GET',
  path: '/artifacts/{artifactId}/text',
  kind: 'text',
};
export const getArtifactView: CallOf<typeof contract.getArtifactView> = {
  id: 'artifacts.getArtifactView',
  method: 'GET',
  path: '/artifacts/{artifactId}/view',
  kind: 'json',
};
export const getArtifactWords: CallOf<typeof contract.getArtifactWords> = {
  id: 'artifacts.getArtifactWords',
  method: 'GET',
  path: '/artifacts/{artifactId}/words',
  kind: 'json',
};
export const getBilling: CallOf<typeof contract.getBilling> = {
  id: 'subscription.getBilling',
  method: 'GET',
  path: '/subscription/billing',
  kind: 'json',
};
export const getBlogPost: CallOf<typeof contract.getBlogPost> = {
  id: 'blog.getBlogPost',
  method: 'GET',
  path: '/blog/{username}/{slug}',
  kind: 'json',
};
export const getConnectionRequest: CallOf<typeof contract.getConnectionRequest> = {
  id: 'connections.getConnectionRequest',
  method: 'GET',
  path: '/connect/{uid}/request',
  kind: 'json',
};
export const getConnectorBuild: CallOf<typeof contract.getConnectorBuild> = {
  id: 'connector.getConnectorBuild',
  method: 'GET',
  path: '/connector/builds/{fileName}',
  kind: 'file',
};
export const getDeviceRequest: CallOf<typeof contract.getDeviceRequest> = {
  id: 'connections.getDeviceRequest',
  method: 'POST',
  path: '/connect/device/request',
  kind: 'json',
};
export const getHistoryEntry: CallOf<typeof contract.getHistoryEntry> = {
  id: 'history.getHistoryEntry',
  method: 'GET',
  path: '/search/history/1',
  kind: 'json',
};
export const getMetrics: CallOf<typeof contract.getMetrics> = {
  id: 'subscription.getMetrics',
  method: 'GET',
  path: '/subscription/metrics',
  kind: 'json',
};
export const getModel: CallOf<typeof contract.getModel> = {
  id: 'models.getModel',
  method: 'POST',
  path: '/models/{name}/get',
  kind: 'json',
};
export const getProfile: CallOf<typeof contract.getProfile> = {
  id: 'profile.getProfile',
  method: 'GET',
  path: '/user/profile',
  kind: 'json',
};
export const getSandboxCheckout: CallOf<typeof contract.getSandboxCheckout> = {
  id: 'payments.getSandboxCheckout',
  method: 'GET',
  path: '/sandbox/checkout/{clientSecret}',
  kind: 'json',
};
export const getSessionDetails: CallOf<typeof contract.getSessionDetails> = {
  id: 'payments.getSessionDetails',
  method: 'GET',
  path: '/stripe/session-details',
  kind: 'json',
};
export const getSharedAnswer: CallOf<typeof contract.getSharedAnswer> = {
  id: 'shares.getSharedAnswer',
  method: 'GET',
  path: '/shares/{id}',
  kind: 'json',
};
export const health: CallOf<typeof contract.health> = {
  id: 'system.health',
  method: 'GET',
  path: '/health',
  kind: 'json',
};
export const historyAudio: CallOf<typeof contract.historyAudio> = {
  id: 'history.historyAudio',
  method: 'GET',
  path: '/search/history/{id}/audio',
  kind: 'file',
};
export const historyThread: CallOf<typeof contract.historyThread> = {
  id: 'history.historyThread',
  method: 'GET',
  path: '/search/history/thread',
  kind: 'json',
};
export const importAccount: CallOf<typeof contract.importAccount> = {
  id: 'portability.importAccount',
  method: 'POST',
  path: '/account/import',
  kind: 'upload',
};
export const ip: CallOf<typeof contract.ip> = {
  id: 'system.ip',
  method: 'GET',
  path: '/ip',
  kind: 'json',
};
export const listAllLedger: CallOf<typeof contract.listAllLedger> = {
  id: 'admin.listAllLedger',
  method: 'GET',
  path: '/admin/ledger',
  kind: 'json',
};
export const listAnsweredQuestions: CallOf<typeof contract.listAnsweredQuestions> = {
  id: 'questionnaire.listAnsweredQuestions',
  method: 'GET',
  path: '/questionnaire/all',
  kind: 'json',
};
export const listApiKeys: CallOf<typeof contract.listApiKeys> = {
  id: 'apiKeys.listApiKeys',
  method: 'GET',
  path: '/api/keys',
  kind: 'json',
};
export const listArtifacts: CallOf<typeof contract.listArtifacts> = {
  id: 'artifacts.listArtifacts',
  method: 'GET',
  path: '/artifacts',
  kind: 'json',
};
export const listAudit: CallOf<typeof contract.listAudit> = {
  id: 'admin.listAudit',
  method: 'GET',
  path: '/admin/audit',
  kind: 'json',
};
export const listBlogPosts: CallOf<typeof contract.listBlogPosts> = {
  id: 'blog.listBlogPosts',
  method: 'GET',
  path: '/blog',
  kind: 'json',
};
export const listConnections: CallOf<typeof contract.listConnections> = {
  id: 'connections.listConnections',
  method: 'GET',
  path: '/connections',
  kind: 'json',
};
export const listConnectorBuilds: CallOf<typeof contract.listConnectorBuilds> = {
  id: 'connector.listConnectorBuilds',
  method: 'GET',
  path: '/connector/builds',
  kind: 'json',
};
export const listCredits: CallOf<typeof contract.listCredits> = {
  id: 'subscription.listCredits',
  method: 'GET',
  path: '/subscription/get-credits',
  kind: 'json',
};
export const listDevices: CallOf<typeof contract.listDevices> = {
  id: 'devices.listDevices',
  method: 'GET',
  path: '/devices',
  kind: 'json',
};
export const listEmails: CallOf<typeof contract.listEmails> = {
  id: 'admin.listEmails',
  method: 'GET',
  path: '/user/profile/emails',
  kind: 'json',
};
export const listHistory: CallOf<typeof contract.listHistory> = {
  id: 'history.listHistory',
  method: 'GET',
  path: '/search/history/all',
  kind: 'json',
};
export const listInvoices: CallOf<typeof contract.listInvoices> = {
  id: 'payments.listInvoices',
  method: 'GET',
  path: '/stripe/invoices',
  kind: 'json',
};
export const listKeywords: CallOf<typeof contract.listKeywords> = {
  id: 'keywords.listKeywords',
  method: 'GET',
  path: '/keywords',
  kind: 'json',
};
export const listLedger: CallOf<typeof contract.listLedger> = {
  id: 'subscription.listLedger',
  method: 'GET',
  path: '/subscription/ledger',
  kind: 'json',
};
export const listModels: CallOf<typeof contract.listModels> = {
  id: 'models.listModels',
  method: 'GET',
  path: '/models',
  kind: 'events',
};
export const listPlans: CallOf<typeof contract.listPlans> = {
  id: 'subscription.listPlans',
  method: 'GET',
  path: '/subscription/active',
  kind: 'json',
};
export const listQuestions: CallOf<typeof contract.listQuestions> = {
  id: 'questionnaire.listQuestions',
  method: 'GET',
  path: '/questionnaire',
  kind: 'json',
};
export const listSecurityEvents: CallOf<typeof contract.listSecurityEvents> = {
  id: 'securityEvents.listSecurityEvents',
  method: 'GET',
  path: '/security/events',
  kind: 'json',
};
export const listSessions: CallOf<typeof contract.listSessions> = {
  id: 'sessions.listSessions',
  method: 'GET',
  path: '/sessions',
  kind: 'json',
};
export const listShares: CallOf<typeof contract.listShares> = {
  id: 'shares.listShares',
  method: 'GET',
  path: '/shares',
  kind: 'json',
};
export const listThreads: CallOf<typeof contract.listThreads> = {
  id: 'history.listThreads',
  method: 'GET',
  path: '/search/history/threads',
  kind: 'json',
};
export const listUsers: CallOf<typeof contract.listUsers> = {
  id: 'admin.listUsers',
  method: 'GET',
  path: '/admin/users',
  kind: 'json',
};
export const live: CallOf<typeof contract.live> = {
  id: 'system.live',
  method: 'GET',
  path: '/live',
  kind: 'json',
};
export const logout: CallOf<typeof contract.logout> = {
  id: 'auth.logout',
  method: 'POST',
  path: '/auth/logout',
  kind: 'json',
};
export const nameLocation: CallOf<typeof contract.nameLocation> = {
  id: 'location.nameLocation',
  method: 'GET',
  path: '/location',
  kind: 'json',
};
export const openApi: CallOf<typeof contract.openApi> = {
  id: 'system.openApi',
  method: 'GET',
  path: '/openapi.json',
  kind: 'text',
};
export const openArtifact: CallOf<typeof contract.openArtifact> = {
  id: 'artifacts.openArtifact',
  method: 'POST',
  path: '/artifacts/{artifactId}/{userId}/{fileName}',
  kind: 'file',
};
export const openConnectionRequest: CallOf<typeof contract.openConnectionRequest> = {
  id: 'connections.openConnectionRequest',
  method: 'GET',
  path: '/connect/{uid}',
  kind: 'text',
};
export const pauseModel: CallOf<typeof contract.pauseModel> = {
  id: 'models.pauseModel',
  method: 'POST',
  path: '/models/{name}/pause',
  kind: 'json',
};
export const paySandboxCheckout: CallOf<typeof contract.paySandboxCheckout> = {
  id: 'payments.paySandboxCheckout',
  method: 'POST',
  path: '/sandbox/checkout/{clientSecret}/pay',
  kind: 'json',
};
export const placeArtifact: CallOf<typeof contract.placeArtifact> = {
  id: 'artifacts.placeArtifact',
  method: 'PUT',
  path: '/artifacts/{artifactId}/place',
  kind: 'json',
};
export const previewPlan: CallOf<typeof contract.previewPlan> = {
  id: 'payments.previewPlan',
  method: 'GET',
  path: '/stripe/preview-plan',
  kind: 'json',
};
export const readPaymentDocument: CallOf<typeof contract.readPaymentDocument> = {
  id: 'payments.readPaymentDocument',
  method: 'GET',
  path: '/payments/documents/{token}',
  kind: 'file',
};
export const readSignedExport: CallOf<typeof contract.readSignedExport> = {
  id: 'portability.readSignedExport',
  method: 'GET',
  path: '/exports/{token}',
  kind: 'file',
};
export const readSignedFile: CallOf<typeof contract.readSignedFile> = {
  id: 'artifacts.readSignedFile',
  method: 'GET',
  path: '/files/{token}',
  kind: 'file',
};
export const readZip: CallOf<typeof contract.readZip> = {
  id: 'artifacts.readZip',
  method: 'GET',
  path: '/zips/{token}',
  kind: 'file',
};
export const ready: CallOf<typeof contract.ready> = {
  id: 'system.ready',
  method: 'GET',
  path: '/ready',
  kind: 'json',
};
export const recommendedQuestions: CallOf<typeof contract.recommendedQuestions> = {
  id: 'recommendations.recommendedQuestions',
  method: 'GET',
  path: '/questions/recommendations',
  kind: 'json',
};
export const reference: CallOf<typeof contract.reference> = {
  id: 'system.reference',
  method: 'GET',
  path: '/reference',
  kind: 'text',
};
export const refreshSession: CallOf<typeof contract.refreshSession> = {
  id: 'auth.refreshSession',
  method: 'POST',
  path: '/auth/refresh',
  kind: 'json',
};
export const removeModel: CallOf<typeof contract.removeModel> = {
  id: 'models.removeModel',
  method: 'DELETE',
  path: '/models/{name}',
  kind: 'json',
};
export const renameArtifact: CallOf<typeof contract.renameArtifact> = {
  id: 'artifacts.renameArtifact',
  method: 'PUT',
  path: '/artifacts/{artifactId}/name',
  kind: 'json',
};
export const reportDevice: CallOf<typeof contract.reportDevice> = {
  id: 'devices.reportDevice',
  method: 'POST',
  path: '/devices',
  kind: 'json',
};
export const resumeSubscription: CallOf<typeof contract.resumeSubscription> = {
  id: 'payments.resumeSubscription',
  method: 'POST',
  path: '/stripe/resume-subscription',
  kind: 'json',
};
export const retryArtifact: CallOf<typeof contract.retryArtifact> = {
  id: 'artifacts.retryArtifact',
  method: 'POST',
  path: '/artifacts/{artifactId}/retry',
  kind: 'json',
};
export const revokeApiKey: CallOf<typeof contract.revokeApiKey> = {
  id: 'apiKeys.revokeApiKey',
  method: 'DELETE',
  path: '/api/keys/{id}',
  kind: 'json',
};
export const search: CallOf<typeof contract.search> = {
  id: 'search.search',
  method: 'POST',
  path: '/search',
  kind: 'events',
};
export const searchReady: CallOf<typeof contract.searchReady> = {
  id: 'artifacts.searchReady',
  method: 'GET',
  path: '/artifacts/search_ready',
  kind: 'json',
};
export const setArtifactArchived: CallOf<typeof contract.setArtifactArchived> = {
  id: 'artifacts.setArtifactArchived',
  method: 'POST',
  path: '/artifacts/{artifactId}/{archived}',
  kind: 'json',
};
export const setArtifactKeywords: CallOf<typeof contract.setArtifactKeywords> = {
  id: 'artifacts.setArtifactKeywords',
  method: 'PUT',
  path: '/artifacts/keywords',
  kind: 'json',
};
export const setKeywordActive: CallOf<typeof contract.setKeywordActive> = {
  id: 'keywords.setKeywordActive',
  method: 'PUT',
  path: '/keywords/{id}/{isActive}',
  kind: 'json',
};
export const setKeywordActiveByPost: CallOf<typeof contract.setKeywordActiveByPost> = {
  id: 'keywords.setKeywordActiveByPost',
  method: 'POST',
  path: '/keywords/{id}/{isActive}',
  kind: 'json',
};
export const signArtifact: CallOf<typeof contract.signArtifact> = {
  id: 'artifacts.signArtifact',
  method: 'GET',
  path: '/artifacts/{artifactId}/link',
  kind: 'json',
};
export const signExport: CallOf<typeof contract.signExport> = {
  id: 'portability.signExport',
  method: 'POST',
  path: '/account/export/link',
  kind: 'json',
};
export const signInWithLink: CallOf<typeof contract.signInWithLink> = {
  id: 'auth.signInWithLink',
  method: 'POST',
  path: '/auth/link',
  kind: 'json',
};
export const socialSignIn: CallOf<typeof contract.socialSignIn> = {
  id: 'auth.socialSignIn',
  method: 'POST',
  path: '/auth/social',
  kind: 'json',
};
export const startSocialSignIn: CallOf<typeof contract.startSocialSignIn> = {
  id: 'auth.startSocialSignIn',
  method: 'GET',
  path: '/auth/social',
  kind: 'json',
};
export const status: CallOf<typeof contract.status> = {
  id: 'system.status',
  method: 'GET',
  path: '/status',
  kind: 'json',
};
export const steerDevice: CallOf<typeof contract.steerDevice> = {
  id: 'devices.steerDevice',
  method: 'PUT',
  path: '/devices/{id}',
  kind: 'json',
};
export const stripeWebhook: CallOf<typeof contract.stripeWebhook> = {
  id: 'payments.stripeWebhook',
  method: 'POST',
  path: '/stripe/webhook',
  kind: 'text',
};
export const suggestions: CallOf<typeof contract.suggestions> = {
  id: 'suggestions.suggestions',
  method: 'GET',
  path: '/suggestions',
  kind: 'json',
};
export const todaysHistory: CallOf<typeof contract.todaysHistory> = {
  id: 'history.todaysHistory',
  method: 'GET',
  path: '/search/history/today',
  kind: 'json',
};
export const transcribe: CallOf<typeof contract.transcribe> = {
  id: 'search.transcribe',
  method: 'POST',
  path: '/search/transcribe',
  kind: 'upload',
};
export const updateHistory: CallOf<typeof contract.updateHistory> = {
  id: 'history.updateHistory',
  method: 'POST',
  path: '/search/history/update',
  kind: 'json',
};
export const updatePlan: CallOf<typeof contract.updatePlan> = {
  id: 'payments.updatePlan',
  method: 'POST',
  path: '/stripe/update-plan',
  kind: 'json',
};
export const updateProfile: CallOf<typeof contract.updateProfile> = {
  id: 'profile.updateProfile',
  method: 'PUT',
  path: '/user/profile',
  kind: 'json',
};
export const uploadArtifacts: CallOf<typeof contract.uploadArtifacts> = {
  id: 'artifacts.uploadArtifacts',
  method: 'POST',
  path: '/artifacts/upload',
  kind: 'upload',
};
export const uploadProfileImage: CallOf<typeof contract.uploadProfileImage> = {
  id: 'profile.uploadProfileImage',
  method: 'POST',
  path: '/user/profile/image',
  kind: 'text',
  filePart: 'file',
};
export const validateCode: CallOf<typeof contract.validateCode> = {
  id: 'auth.validateCode',
  method: 'POST',
  path: '/auth/otp/validate',
  kind: 'json',
};
export const zipArtifacts: CallOf<typeof contract.zipArtifacts> = {
  id: 'artifacts.zipArtifacts',
  method: 'POST',
  path: '/artifacts/zip',
  kind: 'json',
};
