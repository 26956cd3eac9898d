import { expect, test } from 'vitest';
import { browserLabel, deviceLabel } from '../device.ts';

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0';

test.each([
  ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0', 0],
  ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; Touch) AppleWebKit/537.36', 10],
  ['MacOS', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`, 0],
  ['iPad', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`, 5],
  ['iPad', `Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) ${SAFARI} Mobile/15E148`, 5],
  ['iPhone', `Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${SAFARI} Mobile/15E148`, 5],
  ['Android', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile', 5],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0],
  ['Unknown Device', 'curl/8.5.0', 0],
])('%s is what %s is', (label, userAgent, touchPoints) => {
  expect(deviceLabel(userAgent, touchPoints)).toBe(label);
});

test.each([
  [
    'Chrome on Windows',
    'Windows',
    'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  ],
  ['Edge on Windows', 'Windows', 'Chrome/140.0 Safari/537.36 Edg/140.0'],
  ['Opera on Linux', 'Linux', 'Chrome/140.0 Safari/537.36 OPR/120.0'],
  ['Firefox on Linux', 'Linux', 'Gecko/20100101 Firefox/140.0'],
  ['Firefox on iPhone', 'iPhone', 'FxiOS/140.0 Mobile/15E148 Safari/605.1.15'],
  ['Chrome on iPad', 'iPad', 'CriOS/140.0 Mobile/15E148 Safari/604.1'],
  ['Safari on MacOS', 'MacOS', `${SAFARI} Safari/605.1.15`],
  ['Browser on Unknown Device', 'Unknown Device', 'curl/8.5.0'],
])('the default name of a passkey is %s', (label, device, userAgent) => {
  expect(browserLabel(userAgent, device)).toBe(label);
});
