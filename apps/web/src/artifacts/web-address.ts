export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/\S+$/iu.test(text.trim()) && URL.canParse(text.trim());
