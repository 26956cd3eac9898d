import { expect, test } from 'vitest';
import { browserCommand } from '../open-browser.ts';

test('each system opens an address without a shell', () => {
  const url = 'http://127.0.0.1:4000/?token=a&b';
  expect(browserCommand(url, 'win32')).toEqual([
    'rundll32.exe',
    'url.dll,FileProtocolHandler',
    url,
  ]);
  expect(browserCommand(url, 'darwin')).toEqual(['open', url]);
  expect(browserCommand(url, 'linux')).toEqual(['xdg-open', url]);
});
