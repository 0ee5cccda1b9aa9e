var t={en:()=>import("/assets/chunk-I2FDDYAO.js"),pl:()=>import("/assets/chunk-ZR34OZM3.js")};export{t as a};
