var t={en:()=>import("/assets/chunk-P7CFHWOZ.js"),pl:()=>import("/assets/chunk-VAWPK6NQ.js")};export{t as a};
