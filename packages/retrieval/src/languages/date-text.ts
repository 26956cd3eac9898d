/** The locale in which a date is written for a language (ISO 639-1). */
export const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);

/** '12 March 2024' of '2024-03-12'. */
export const dayInWords = (day: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
