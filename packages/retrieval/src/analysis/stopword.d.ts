declare module 'stopword' {
  /** Each list under its ISO 639-3 code; some lists hold phrases and punctuation too. */
  type StopWordList = readonly string[];
  export const ara: StopWordList;
  export const bul: StopWordList;
  export const cat: StopWordList;
  export const ces: StopWordList;
  export const dan: StopWordList;
  export const deu: StopWordList;
  export const ell: StopWordList;
  export const fas: StopWordList;
  export const fin: StopWordList;
  export const fra: StopWordList;
  export const heb: StopWordList;
  export const hin: StopWordList;
  export const hrv: StopWordList;
  export const hun: StopWordList;
  export const ind: StopWordList;
  export const ita: StopWordList;
  export const jpn: StopWordList;
  export const kor: StopWordList;
  export const nld: StopWordList;
  export const nob: StopWordList;
  export const pol: StopWordList;
  export const por: StopWordList;
  export const ron: StopWordList;
  export const rus: StopWordList;
  export const slk: StopWordList;
  export const slv: StopWordList;
  export const spa: StopWordList;
  export const swe: StopWordList;
  export const tur: StopWordList;
  export const ukr: StopWordList;
  export const vie: StopWordList;
  export const zho: StopWordList;
}
