/** Names of what is to be kept secret, and is shown to nobody unasked. */
export const SECRET =
  /pass(?:word|wort|code|phrase)|(?:alarm|door|gate|access|entry|safe|security|tür|zugangs)[ -]?code|kennw|mot de passe|contraseña|senha|парол|パスワード|暗証|密码|(?<!\p{L})(?:pin|puk|tan|secret|token|key|iban|bic|cvc|cvv|ssid|mac)(?!\p{L})/iu;
