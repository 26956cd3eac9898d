/** Saves the response of an address of this server without leaving the page. */
export function download(url: string, fileName = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
}
