/** The locale in which a date is written for a language (ISO 639-1). */
export const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language);

const format = (day: string, language: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** 'March 2024' of '2024-03'. */
export const monthInWords = (month: string, language: string): string =>
  format(`${month}-01`, language, { month: 'long', year: 'numeric' });

/** '12 March 2024' of '2024-03-12'. */
export const dayInWords = (day: string, language: string): string =>
  format(day, language, { dateStyle: 'long' });
