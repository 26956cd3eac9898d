export type Browser = 'chrome' | 'firefox';

/** Only the extension's own files are loaded. Calls go to the server that the user permits. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  'connect-src http: https: data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const ICON_SIZES = [16, 32, 48, 128];

const icons = Object.fromEntries(ICON_SIZES.map((size) => [size, `icons/${size}.png`]));

/** The manifest of the extension. In Firefox only the background script and the ID differ. */
export const manifestFor = (browser: Browser, version: string) => ({
  manifest_version: 3,
  name: 'Engram',
  version,
  description: 'Saves pages, selections and pictures to your Engram, as you see them.',
  icons,
  action: { default_title: 'Save to Engram', default_popup: 'popup.html', default_icon: icons },
  background:
    browser === 'chrome'
      ? { service_worker: 'background.js', type: 'module' }
      : { scripts: ['background.js'], type: 'module' },
  permissions: ['activeTab', 'alarms', 'contextMenus', 'scripting', 'storage', 'unlimitedStorage'],
  optional_host_permissions: ['http://*/*', 'https://*/*'],
  commands: {
    'save-page': {
      suggested_key: { default: 'Alt+Shift+S' },
      description: 'Save the page to Engram',
    },
  },
  content_security_policy: { extension_pages: POLICY },
  incognito: 'not_allowed',
  ...(browser === 'chrome' && { minimum_chrome_version: '120' }),
  ...(browser === 'firefox' && {
    browser_specific_settings: {
      gecko: { id: 'clipper@engram.local', strict_min_version: '128.0' },
    },
  }),
});
