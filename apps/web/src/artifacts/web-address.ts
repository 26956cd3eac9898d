/** Whether a text is the address of a web page, and nothing else. */
export const isWebAddress = (text: string): boolean =>
  /^https?:\/\/\S+$/iu.test(text.trim()) && URL.canParse(text.trim());
