var t={en:()=>import("/assets/chunk-IGOWKOO7.js"),pl:()=>import("/assets/chunk-QIZV4ODD.js")};export{t as a};
