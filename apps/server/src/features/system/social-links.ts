import { ConfigError } from '../../config.ts';

export interface SocialLink {
  name: string;
  url: string;
}

/**
 * The footer's links from entries such as 'GitHub=https://github.com/example'.
 * @throws ConfigError for an entry without a name, or whose address is not http or https.
 */
export function parseSocialLinks(entries: readonly string[]): SocialLink[] {
  return entries.map((entry) => {
    const [name = '', ...rest] = entry.split('=');
    const url = URL.parse(rest.join('=').trim());
    if (!name.trim() || !url || !/^https?:$/u.test(url.protocol)) {
      throw new ConfigError(
        `ENGRAM_SOCIAL_LINKS must hold entries such as GitHub=https://github.com/example, and '${entry}' is none.`,
      );
    }
    return { name: name.trim(), url: url.href };
  });
}
