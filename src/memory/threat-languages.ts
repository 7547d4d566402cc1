import type { Category } from './threat-phrases.ts';

/** A phrase of another language, in its own letters; `_` is a gap between two words, `…` up to 40 characters of a sentence. */
interface ForeignPhrase {
  readonly category: Category;
  readonly text: string;
}

/** A place that something may be sent to. */
const away =
  '(?:https?:|www\\.|[\\w.+-]+@[\\w-]+\\.[a-z]{2,}|[\\w-]+\\.(?:com|net|io|org|xyz|ru|cn)(?![\\w-])|webhook|pastebin|telegram)';

const sentences: Record<'instructions' | 'identity' | 'guardrails' | 'extraction', readonly string[]> = {
  instructions: [
    // German
    '(?:ignorier(?:e|en|t)?|vergiss|vergesst|vergessen_sie|missachte[nt]?|verwirf|verwerfe[nt]?|überschreibe?[nt]?|beachte_(?:nicht|keine))…(?:vorherig|bisherig|früher|obig|vorig|vorangegangen|vorangehend|ursprünglich|zuvor|oben)\\p{L}*…(?:anweisung|instruktion|regel|vorgabe|befehl|richtlinie|prompt|nachricht)',
    '(?:ignorier(?:e|en|t)?|vergiss|vergesst|missachte[nt]?)_(?:alle_)?(?:deine|eure|ihre)_(?:anweisung|instruktion|regel|vorgabe|richtlinie)',
    // French
    '(?:ignore[zrs]?|oublie[zrs]?|néglige[zr]?|fai(?:s|tes)_abstraction|ne_(?:tiens|tenez)_(?:pas|plus)_compte)…(?:instruction|consigne|règle|directive|ordre)s?…(?:précédent|antérieur|ci-dessus|initial|reçu|donné)',
    '(?:ignore[zrs]?|oublie[zrs]?)_(?:toutes_)?(?:tes|vos)_(?:instruction|consigne|règle|directive)s',
    // Spanish
    '(?:ignor[aeáé]\\p{L}*|olvid[aeáé]\\p{L}*|desestima|descarta|haz_caso_omiso_de|no_(?:sigas|obedezcas))…(?:instruccion|regla|orden|órden|indicacion|directri)\\p{L}*…(?:anterior|previ|precedent|de_arriba|original|inicial)',
    '(?:ignora|olvida|ignore|olvide)_(?:todas_)?(?:tus|sus)_(?:instruccion|regla|indicacion|directri)',
    // Portuguese
    '(?:ignor[ae]\\p{L}*|esque[çc]\\p{L}*|desconsider[ae]\\p{L}*|desobedeça)…(?:instru[çc]|regra|ordem|ordens|diretriz|orienta[çc])\\p{L}*…(?:anterior|prévi|acima|original|inicia)',
    // Italian
    '(?:ignora\\p{L}*|dimentica\\p{L}*|trascura|non_seguire)…(?:istruzion|regol|ordin|direttiv|indicazion)\\p{L}*…(?:precedent|anterior|sopra|inizial)',
    // Dutch
    '(?:negeer|vergeet|sla)…(?:vorige|eerdere|voorgaande|bovenstaande|oorspronkelijke)…(?:instructie|regel|opdracht|aanwijzing|richtlijn)',
    // Polish
    '(?:z?ignoruj|zapomnij_o|zapomnij|pomiń|odrzuć)…(?:poprzedni|wcześniejsz|powyższ|dotychczasow)\\p{L}*…(?:instrukcj|poleceni|zasad|reguł|wytyczn)',
    // Czech
    '(?:ignoruj|zapomeň(?:_na)?)…(?:předchozí|dřívější|výše_uvedené)…(?:instrukce|pokyny|pravidla|příkazy)',
    // Swedish, Danish, Norwegian
    '(?:ignorera|glöm|ignorer|glem)…(?:tidigare|föregående|ovanstående|tidligere|forrige|foregående)…(?:instruktion|regl|anvisning|instruks|order)',
    // Russian and Ukrainian
    '(?:про)?(?:игнорируй|забудь|отбрось|не_обращай_внимания_на|ігноруй|відкинь)(?:те)?…(?:предыдущ|прошл|прежн|вышеуказан|ранее|попередн|минул)\\p{L}*…(?:инструкци|указани|правил|команд|інструкці|вказівк|приказ)',
    // Turkish
    '(?:önceki|yukarıdaki|daha_önceki)…(?:talimat|kural|komut|yönerge)\\p{L}*…(?:yok_say|unut|görmezden_gel|dikkate_alma|göz_ardı)',
    // Indonesian, Vietnamese
    '(?:abaikan|lupakan)…(?:instruksi|perintah|aturan)…(?:sebelumnya|di_atas)',
    '(?:bỏ_qua|quên)…(?:hướng_dẫn|chỉ_dẫn|quy_tắc|lệnh)…(?:trước|ở_trên)',
    // Chinese
    '(?:忽略|无视|無視|忽視|忘记|忘記|忘掉|不要理会|不再遵守|抛弃)[^。！？\\n]{0,12}(?:之前|以前|先前|上面|以上|前面|此前|原来|系统)[^。！？\\n]{0,8}(?:指令|指示|规则|規則|提示|命令|说明|說明|要求)',
    // Japanese
    '(?:以前|これまで|今まで|前|上記|先ほど|元)の[^。！？\\n]{0,8}(?:指示|命令|ルール|プロンプト|指令|規則)[^。！？\\n]{0,6}(?:無視|忘れ|破棄)',
    // Korean
    '(?:이전|위의|앞의|기존|지금까지)[^.!?\\n]{0,8}(?:지시|명령|규칙|지침|프롬프트)[^.!?\\n]{0,8}(?:무시|잊)',
    // Arabic
    '(?:تجاهل|انس|تجاهلي|أهمل)…(?:التعليمات|الأوامر|القواعد|التوجيهات)…(?:السابقة|أعلاه|الأصلية)',
    // Hindi
    '(?:पिछले|पूर्व|ऊपर|पहले)…(?:निर्देश|नियम|आदेश)\\S*…(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)',
  ],
  identity: [
    '(?:du_bist|ihr_seid|sie_sind|verhalte_dich|tu_so|spiel)…(?:ohne_(?:jede_|alle_)?(?:einschränkung|beschränkung|regel|grenze|filter)\\p{L}*|uneingeschränkt|unzensiert)',
    '(?:tu_es|vous_êtes|agis|comporte-toi|fais_comme)…(?:sans_(?:aucune?_)?(?:limite|restriction|règle|filtre|censure)s?)',
    '(?:eres|actúa|compórtate|finge)…sin_(?:ningun\\p{L}*_)?(?:límite|restriccion|restricción|regla|filtro|censura)\\p{L}*',
    '(?:ты|вы|действуй|веди_себя)…без_(?:всяких_)?(?:ограничени|правил|цензур|фильтр)\\p{L}*',
    '(?:你现在是|你現在是|扮演|假装|从现在起)[^。\\n]{0,20}(?:没有|沒有|不受|无)[^。\\n]{0,6}(?:限制|约束|約束|规则|审查)',
  ],
  guardrails: [
    '(?:umgeh(?:e|en|t)?|deaktivier(?:e|en|t)?|schalte?|heble?)…(?:sicherheitsfilter|inhaltsfilter|schutzmaßnahm|sicherheitsrichtlini|sicherheitsregel|leitplank)\\p{L}*',
    '(?:contourne[zr]?|désactive[zr]?)…(?:filtres?|mesures|règles|garde-fous)…(?:sécurité|contenu|modération)',
    '(?:desactiva|elude|evita|omite)…(?:filtros?|medidas|reglas|controles)…(?:seguridad|contenido|moderación)',
    '(?:обойди|отключи|обходи)(?:те)?…(?:фильтр|защит|ограничени|мер)\\p{L}*…(?:безопасност|контент|модел)',
    '(?:绕过|繞過|关闭|關閉|禁用)[^。\\n]{0,8}(?:安全|内容|內容|审核)[^。\\n]{0,4}(?:过滤|過濾|限制|措施|机制|检查)',
  ],
  extraction: [
    '(?:verrate?|zeig|gib|nenn|offenbar|wiederhol|drucke|schreib)(?:e|en|st|t)?…(?:system-?_?prompt|systemanweisung|systemnachricht|systeminstruktion)',
    `(?:send|schick|übermittl|lad|verschick|mail|poste|leit)(?:e|en|t|le)?…(?:passw[oö]rt|zugangsdaten|(?:api-?_?|geheime_)schlüssel|token|geheimnis|umgebungsvariable|secret)\\p{L}*…${away}`,
    '(?:révèle|montre|affiche|donne|répète|divulgue)(?:z|r|-moi)?…(?:prompt|invite|instructions|message)_(?:du_)?système',
    `(?:envoie|envoyez|transmet|publie|poste|téléverse)\\p{L}*…(?:clés?|mots?_de_passe|jetons?|secrets?|identifiants)…${away}`,
    '(?:revela|muestra|repite|dime|filtra|imprime)(?:me)?…(?:prompt|instrucciones|mensaje)_del_sistema',
    `(?:envía|envia|envíe|manda|publica|sube|reenvía)\\p{L}*…(?:claves?|contraseñas?|tokens?|secretos?|credenciales)…${away}`,
    '(?:раскрой|покажи|выведи|повтори|напиши)(?:те)?…системн\\p{L}*_(?:промпт|подсказк|инструкци|сообщени)',
    `(?:отправь|пришли|перешли|загрузи|опубликуй)(?:те)?…(?:ключ|токен|парол|секрет|учётн)\\p{L}*…${away}`,
    '(?:透露|泄露|洩露|显示|顯示|输出|輸出|告诉我|告訴我|重复|打印)[^。\\n]{0,10}(?:系统|系統)(?:提示词?|提示詞|指令|消息|訊息)',
    '(?:发送|發送|上传|上傳|发给|泄露|寄给)[^。\\n]{0,20}(?:密钥|密鑰|令牌|密码|密碼|凭证|环境变量)|(?:密钥|令牌|密码|凭证|环境变量|密鑰|密碼)[^。\\n]{0,10}(?:发送到|發送到|上传到|发给|传给)',
    'システムプロンプト[^。\\n]{0,8}(?:教え|表示|公開|出力|見せ|漏ら)',
    '(?:apiキー|トークン|パスワード|秘密鍵|環境変数)[^。\\n]{0,20}(?:送信|送って|アップロード|漏ら)',
    '시스템_?프롬프트[^.\\n]{0,8}(?:알려|보여|출력|공개)',
    '(?:اكشف|أظهر|اطبع)…(?:تعليمات_النظام|موجه_النظام)',
  ],
};

/** Words that turn what follows into its opposite. */
export const foreignNegations =
  /(?:nicht|nie|niemals|kein\p{L}*|ne|n['’]|pas|jamais|no|nunca|não|non|mai|niet|nooit|nie|nigdy|не|никогда|ніколи|不要|别|別|勿|不得|切勿|لا)\s*$/u;

/** Phrases of other languages, all of them strong. */
export const foreignPhrases: readonly ForeignPhrase[] = Object.entries(sentences).flatMap(([category, texts]) =>
  texts.map((text) => ({ category: category as keyof typeof sentences, text })),
);
