var t={en:()=>import("/assets/chunk-YC4DEHMI.js"),pl:()=>import("/assets/chunk-DBHVOEL7.js")};export{t as a};
