var n={title:"Administradores",html:`<p>Quién puede trabajar en este panel y qué programas pueden usar la API, en todas las tiendas. Pulse <strong>Añadir un administrador</strong> para añadir uno.</p>
<ul>
<li>Una <strong>Persona</strong> inicia sesión con un correo y una contraseña. Entregue un enlace o envíe una invitación, y elegirá ella misma la contraseña. El enlace funciona una vez, durante una semana; hasta entonces puede enviarlo de nuevo o retirarlo.</li>
<li>Una <strong>Integración</strong> es un programa, como su tienda en línea. Tiene una clave en lugar de una contraseña. La clave se muestra una sola vez: guárdela en un lugar seguro.</li>
<li>El <a href="roles">rol</a> indica lo que ambas pueden ver y modificar. <strong>En algunas tiendas</strong>, cada una tiene su propio rol, y no hay derechos en otras.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>Alguien deja la empresa.</strong> Pulse <strong>Retirar el acceso</strong> en su página. Verá lo que termina. Se cierran de inmediato todas sus sesiones, y lo que hizo queda en la <a href="audit">auditoría</a>.</p>
<p><strong>Alguien ha visto una clave.</strong> Marque <strong>Crear una clave nueva</strong> y guarde. La anterior deja de funcionar de inmediato.</p>
<p><strong>¿Por qué no puedo dar un rol a alguien?</strong> Nadie puede dar un permiso que no tiene.</p>
<p><strong>¿Se puede desactivar al último administrador?</strong> No. Tiene que quedar una persona activa que pueda hacerlo todo.</p>
<p><strong>Alguien ha perdido su teléfono.</strong> Un código de recuperación permite entrar. Sin él, pulse <strong>Restablecer los segundos factores</strong> en su página: inicia sesión solo con la contraseña y añade después uno nuevo. Asegúrese antes de que es de verdad esa persona quien lo pide.</p>
`},a={title:"Auditoría",html:`<p>Quién cambió qué, cuándo y desde dónde, en todas las tiendas. También los inicios de sesión y quién consultó clientes.</p>
<ul>
<li>Busque por nombre de usuario, o filtre por evento, objeto y días. Haga clic en una entrada para ver los valores <strong>Antes</strong> y <strong>Después</strong>.</li>
<li><strong>Descargar</strong> guarda lo que ha encontrado.</li>
<li><strong>Archivar</strong> quita las entradas antiguas de la lista. Los archivos se pueden descargar allí.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Puede alguien cambiar o eliminar una entrada?</strong> No en este panel. El servidor elimina las entradas muy antiguas, normalmente después de cinco años.</p>
<p><strong>¿Contiene contraseñas?</strong> No, ni otros secretos.</p>
<p><strong>¿Qué queda de un cliente anonimizado?</strong> Quién de su equipo hizo algo, y cuándo. Los datos personales se eliminan de las entradas.</p>
`},o={title:"Recompensas compradas",html:`<p>Cada recompensa que un cliente compró o recibió, con su código y si se ha usado.</p>
<h2>Lo que puede hacer</h2>
<ul>
<li>Encontrar un cupón: escriba su código completo. Los filtros eligen una recompensa, un cliente, días y más.</li>
<li>Marcar un cupón con el interruptor <strong>Usadas</strong>, o volver atrás si fue un error.</li>
<li>Seguir un regalo en camino: elija <strong>Pedido</strong>, <strong>Enviado</strong> o <strong>Entregado</strong> cuando el cliente haya usado el cupón.</li>
<li>Deshacer una compra: abra el cliente y pulse <strong>Anular la compra</strong> en la pestaña <strong>Cupones</strong>. Los puntos vuelven con la caducidad que tenían; los que han caducado desde entonces se pierden. Si el cupón está usado, pulse antes <strong>Deshacer el uso</strong>.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Por qué no se puede usar un cupón?</strong> Lo dice su fila: ya se usó, aún no es válido, ha caducado o se anuló. O el cliente no está activo.</p>
<p><strong>¿Durante cuánto tiempo se puede deshacer una compra?</strong> Tanto como diga <strong>Las compras se pueden anular durante</strong> en los <a href="settings">ajustes</a>; al principio, 14 días.</p>
<p><strong>¿Se vuelve a vender el código después?</strong> No, porque alguien puede haberlo visto, a menos que usted lo active en los ajustes.</p>
`},s={title:"Acciones en grupo",html:`<p>Lo que se hizo a muchos clientes a la vez y hasta dónde ha llegado.</p>
<h2>Empezar</h2>
<ol>
<li>Vaya a <a href="customers">todos los clientes</a> y marque algunos, o elija todos los que cumplen los filtros.</li>
<li>Elija qué hacer: una etiqueta, un segmento, puntos o un mensaje.</li>
<li>Pulse <strong>Empezar</strong>. Sigue en segundo plano y puede salir de la página.</li>
</ol>
<h2>Conviene saber</h2>
<ul>
<li>Cada cliente se cambia una sola vez, aunque el servidor se reinicie entretanto.</li>
<li><strong>Detener</strong> termina la acción. Lo hecho permanece.</li>
<li><strong>Deshacer</strong> deshace lo que no ha cambiado desde entonces. La página enumera el resto, como los puntos gastados.</li>
</ul>
`},c={title:"Campañas",html:`<p>Una campaña es una recompensa que los clientes obtienen por puntos o gratis: un descuento, un vale, un regalo, un envío gratis, una invitación, dinero.</p>
<h2>Crear una recompensa</h2>
<ol>
<li>Pulse <strong>Crear una recompensa</strong> y elija para qué es. El formulario ya viene relleno, y puede cambiarlo.</li>
<li>En <strong>Qué</strong>, dele un nombre y descríbala en cada idioma.</li>
<li>En <strong>Quién</strong>, elija a todos, algunos <a href="levels">niveles</a> o algunos <a href="segments">segmentos</a>. Verá a cuántos clientes llega.</li>
<li>En <strong>Cuándo</strong>, indique cuándo pueden comprarla los clientes y cuándo la ven.</li>
<li>En <strong>Frecuencia</strong>, ponga el precio en puntos y los límites.</li>
<li>Pulse <strong>Guardar y activar</strong>. <strong>Guardar desactivada</strong> la deja para más tarde.</li>
</ol>
<h2>Códigos</h2>
<p>Punchcard genera códigos, o usted trae los suyos. Cada comprador recibe el siguiente, o todos reciben el mismo. Cuando quedan pocos, el <a href="overview">resumen</a> se lo dice.</p>
<h2>Límites</h2>
<ul>
<li><strong>Máximo en total</strong> no se supera nunca, por muchos clientes que compren en el mismo momento.</li>
<li><strong>Máximo por cliente</strong> vale para siempre, o empieza de nuevo cada día, mes o año.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Y si cambio una recompensa que ya se compró?</strong> Lo que tienen los clientes queda como estaba: código, fechas y puntos pagados.</p>
<p><strong>¿Cómo termino una recompensa?</strong> Desactívela. <strong>Archivar</strong> también la quita de la lista. Los cupones comprados se pueden seguir usando.</p>
<p><strong>¿Por qué no la ve nadie?</strong> Compruebe que está activada, que sus días han empezado y que hay clientes y códigos para ella.</p>
`},r={title:"Cashback",html:`<p>El cashback convierte puntos en dinero. Lo paga un proveedor de pagos, o usted.</p>
<h2>Cómo funciona</h2>
<ol>
<li>Cree una <a href="campaigns">campaña</a> del tipo <strong>Puntos como dinero</strong>. Dice cuánto vale un punto.</li>
<li>Un cliente canjea puntos en la aplicación, o usted pulsa <strong>Canjear puntos por dinero</strong>. Antes se ve cuánto valen los puntos.</li>
<li>Los puntos se quitan de inmediato. Si hay un proveedor de pagos conectado, recibe un mensaje para que pague.</li>
</ol>
<p>Si el proveedor comunica que el pago falló, los puntos vuelven solos.</p>
<h2>Lo que muestra la lista</h2>
<p>Estos mensajes, y qué fue de cada uno. <strong>Fallido</strong> significa que el proveedor no lo aceptó. Los puntos siguen gastados, porque quizá se pagó el dinero: pregunte al proveedor, y pulse <strong>Enviar de nuevo</strong> si no se pagó.</p>
<h2>Preguntas</h2>
<p><strong>¿Puedo limitarlo?</strong> Sí, en los <a href="settings">ajustes</a>, en <strong>Puntos por dinero</strong>: el mínimo de puntos de una vez y el máximo de un cliente al día.</p>
<p><strong>¿Y si no tengo proveedor?</strong> Los canjes están entre las <a href="bought">recompensas compradas</a>, y usted mismo paga el dinero.</p>
`},t={title:"Categorías",html:`<p>Las categorías agrupan recompensas para sus clientes: bebidas, regalos, entradas.</p>
<ul>
<li>Pulse <strong>Crear una categoría</strong> y dele un nombre en cada idioma de su programa. Donde falte, los clientes ven el nombre en el idioma predeterminado.</li>
<li><strong>Orden</strong> decide el lugar: las categorías con un número menor van primero.</li>
<li>Una recompensa puede estar en varias categorías. Se eligen en el formulario de la <a href="campaigns">campaña</a>, en <strong>Más: mensaje, categorías, marca, etiquetas</strong>.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Puedo eliminar una categoría?</strong> No, pero puede desactivarla en <strong>En los menús</strong>. Los clientes ya no pueden elegirla en la aplicación. Sus recompensas siguen a la venta y conservan la categoría.</p>
`},l={title:"Reloj de pruebas",html:`<p>Una tienda de pruebas tiene un reloj que puede adelantar, para ver lo que hace su programa en una semana o un mes.</p>
<ol>
<li>Pulse <strong>1 día</strong>, <strong>1 semana</strong> o <strong>30 días</strong>. O elija un momento y pulse <strong>Adelantar hasta entonces</strong>.</li>
<li>Lo que corresponda ocurre de inmediato: los puntos se liberan y caducan, los cupones terminan, los niveles y segmentos cambian, los clientes reciben notificaciones.</li>
<li><strong>Lo que se ha procesado</strong> lo enumera.</li>
</ol>
<h2>Conviene saber</h2>
<ul>
<li>El reloj nunca retrocede.</li>
<li>Adelantarlo es un solo paso: lo que ocurre cada día ocurre una vez, al llegar.</li>
<li>Las otras tiendas no cambian.</li>
<li>Para clientes de verdad, use una tienda normal. Ambas se abren en <a href="stores">tiendas</a>.</li>
</ul>
`},i={title:"Todos los clientes",html:`<p>Todas las personas de su programa.</p>
<h2>Encontrar a alguien</h2>
<p>Escriba un nombre, un correo, un teléfono o un número de tarjeta. O filtre la lista por nivel, segmento, estado y día de alta. <strong>Descargar</strong> guarda lo que ha encontrado.</p>
<p><strong>Guardar como vista</strong> guarda los filtros y el orden de la lista con un nombre, para usted o para todos los que ven clientes. <strong>Vistas guardadas</strong> los recupera.</p>
<h2>El perfil</h2>
<ul>
<li><strong>Cronología</strong> cuenta lo que ha pasado. Las otras pestañas tienen cupones, puntos, compras, mensajes y notas.</li>
<li><strong>Añadir puntos</strong> y <strong>Comprar una recompensa</strong> están arriba. El menú de al lado tiene lo demás, como gastar puntos, el nivel y el bloqueo.</li>
</ul>
<h2>Añadir un cliente</h2>
<p>Pulse <strong>Añadir un cliente</strong>. Hacen falta el nombre y los apellidos, un contacto y la aceptación de las condiciones. Marque <strong>Quiere novedades y ofertas</strong> solo en quienes lo hayan dicho.</p>
<h2>Preguntas</h2>
<p><strong>Un cliente no puede iniciar sesión.</strong> Un aviso en el perfil dice qué falta. <strong>Enviar de nuevo</strong> repite el mensaje; <strong>Activar</strong> lo hace sin él.</p>
<p><strong>¿Bloquear o anonimizar?</strong> Tras <strong>Bloquear</strong>, un cliente lo conserva todo y no puede hacer nada hasta que usted pulse <strong>Activar</strong>. <strong>Anonimizar</strong> borra para siempre quién es la persona, y conserva las cifras.</p>
<p><strong>Un cliente pide sus datos.</strong> Abra <strong>Ficha</strong> y luego <strong>Datos y privacidad</strong>. En <strong>Una copia de todos los datos</strong> obtiene un archivo.</p>
<p><strong>Un cliente tiene dos cuentas.</strong> En el perfil de la cuenta que se queda, use <strong>Combinar con otro cliente</strong>.</p>
`},d={title:"Eventos",html:`<p>Todo lo que ha ocurrido en la tienda, lo más reciente primero. Los eventos nuevos aparecen mientras mira.</p>
<ul>
<li>Filtre por tipo, cliente y días.</li>
<li><strong>Pausar</strong> retiene la lista, para que pueda leer con calma. <strong>Reanudar</strong> la deja seguir.</li>
<li>Haga clic en un evento para ver lo que contiene.</li>
<li>Los nombres y contactos solo se muestran a quienes pueden ver clientes.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Para qué sirven los eventos?</strong> Para averiguar qué pasó, por ejemplo con un cliente. Y para otros sistemas: los desarrolladores leen los eventos por la API, o los reciben por <a href="webhooks">webhooks</a>.</p>
<p><strong>¿Se pueden eliminar eventos?</strong> No. Si se anonimiza a un cliente, se vacían sus datos personales.</p>
`},p={title:"Importaciones",html:`<p>Traiga lo que tiene: clientes, puntos, tickets. Tome el archivo que exporta su programa actual; no hace falta reordenarlo.</p>
<h2>Cómo funciona</h2>
<ol>
<li>Pulse <strong>Importar un archivo</strong>. Elija qué contiene el archivo, y el archivo.</li>
<li>Punchcard adivina cómo están escritas las fechas y los números, y qué es cada columna. Corrija lo que no sea correcto. Sus elecciones se guardan para el próximo archivo con esas columnas.</li>
<li>Mire los primeros registros tal como se guardarán. <strong>Comprobar el archivo</strong> los prueba todos y no guarda nada.</li>
<li>Pulse <strong>Importar ahora</strong>. Puede salir de la página.</li>
</ol>
<h2>Clientes que ya existen</h2>
<p>Elija <strong>Rechazarlos</strong> o <strong>Actualizarlos</strong>. Las celdas vacías conservan lo que hay. Los consentimientos, el nivel y si alguien está activo solo cambian si los marca en <strong>Reemplazar también</strong>.</p>
<h2>Preguntas</h2>
<p><strong>Se rechazaron algunos registros.</strong> La página los enumera con el motivo. Corríjalos e impórtelos en un archivo aparte, porque los puntos que se importan de nuevo se dan de nuevo.</p>
<p><strong>Era el archivo equivocado.</strong> <strong>Deshacer la importación</strong> retira clientes o puntos. Lo que ha cambiado desde entonces se queda, y se enumera. Los tickets se retiran con devoluciones.</p>
<p><strong>¿Reciben mensajes los clientes?</strong> Solo si marca <strong>Darles la bienvenida</strong> o <strong>Informar a los clientes</strong>, o si lo pide una columna del archivo.</p>
`},g={title:"Invitaciones",html:`<p>Los clientes invitan a amigos, y ambos pueden ganar algo.</p>
<ul>
<li>Un cliente invita a alguien por correo o por teléfono, o comparte un enlace personal desde la aplicación. Quien se une con él cuenta como invitado.</li>
<li>Una <a href="rules">regla de puntos</a> del tipo <strong>Puntos por invitaciones</strong> dice quién recibe puntos y por qué: por unirse, por la primera compra o por cada compra.</li>
<li>Esta página muestra quién invitó a quién, hasta dónde llegó (<strong>Invitado</strong>, <strong>Registrado</strong>, <strong>Compró algo</strong>) y los puntos que recibió cada parte.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Por qué nadie recibió puntos?</strong> Quizá no hay regla, o es para otros niveles o segmentos: tiene que servir para el amigo. Un cliente que no está activo no recibe nada.</p>
<p><strong>¿Se puede invitar a alguien dos veces?</strong> No. Tampoco a quien ya es cliente.</p>
`},m={title:"Tareas",html:`<p>Lo que el servidor hace por sí solo: los puntos caducan, se calculan segmentos, se envían notificaciones push.</p>
<ul>
<li>Cada línea muestra cada cuánto se ejecuta una tarea, cómo fue la última vez y cuándo toca la próxima.</li>
<li>El botón con una flecha al final de una línea ejecuta la tarea de inmediato. Rara vez lo necesita.</li>
<li>Una tarea que falló se intenta de nuevo sola, y el <a href="overview">resumen</a> se lo dice.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>Una tarea ha fallado. ¿Qué puedo hacer?</strong> La línea dice por qué en pocas palabras, como un disco lleno. Si vuelve a fallar, muestre los <strong>Detalles técnicos</strong> a la persona que gestiona el servidor.</p>
<p><strong>¿Importa que una tarea se retrase un poco?</strong> Apenas. Los puntos y cupones caducados no se pueden usar, se haya ejecutado la tarea o no.</p>
`},v={title:"Página de inscripción",html:`<p>Cómo la gente encuentra su programa y se une a él.</p>
<ul>
<li>La página en esta <strong>Dirección</strong> muestra a los visitantes cómo ganar, qué pueden obtener y los niveles. Allí se unen.</li>
<li>El <strong>Cartel</strong> lleva la dirección como código QR. Use <strong>Imprimir</strong> para su mostrador o su escaparate.</li>
<li><strong>En su sitio web</strong> tiene unas líneas para su propio sitio. Allí muestran la misma página.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Por qué no la muestra mi sitio web?</strong> Escriba la dirección del sitio en los <a href="settings">ajustes</a>, en <strong>Enlaces y condiciones</strong>, en <strong>Sitios que pueden mostrar la página de inscripción</strong>. Mientras esta lista esté vacía, no puede ninguno.</p>
<p><strong>¿Por qué falta una recompensa?</strong> Los visitantes ven las recompensas con la marca <strong>Pública</strong>. Márquela en el formulario de la <a href="campaigns">campaña</a>.</p>
<p><strong>¿Tienen que activar su cuenta los clientes nuevos?</strong> Usted lo decide en los ajustes, en <strong>Permisos de los clientes</strong>. Así se evitan direcciones mal escritas o de otras personas.</p>
<p><strong>¿Pueden añadir clientes mis vendedores?</strong> Sí, en la caja.</p>
`},h={title:"Recorridos",html:`<p>Mensajes que los clientes reciben por sí solos en una ocasión, con o sin regalo.</p>
<h2>Empezar</h2>
<ol>
<li>Elija una ocasión, por ejemplo el cumpleaños, y pulse <strong>Nuevo</strong>.</li>
<li>Indique cuándo se envía el mensaje, a quién y qué dice en cada idioma.</li>
<li>Añada un regalo si lo desea: puntos o una recompensa.</li>
<li>Pulse <strong>Activar</strong>. La página muestra a cuántos clientes llega hoy.</li>
</ol>
<h2>Conviene saber</h2>
<ul>
<li>Un cliente recibe el mensaje y el regalo de una ocasión una sola vez.</li>
<li>Las ocasiones anteriores no se recuperan.</li>
<li>Sin mensaje no hay regalo, por ejemplo si falta el consentimiento.</li>
<li>Los <a href="settings">ajustes</a> indican cuántos mensajes comerciales recibe un cliente como máximo.</li>
</ul>
`},q={title:"Claves para programas",html:`<p>Un programa, por ejemplo una tienda en línea o una caja de otro fabricante, llama a Punchcard con una clave. Cree una para cada programa.</p>
<ol>
<li>Pulse <strong>Nueva clave</strong>, dé un nombre al programa y marque lo que puede ver y cambiar.</li>
<li>Cree la clave y copie su secreto. Se muestra una sola vez.</li>
</ol>
<h2>Conviene saber</h2>
<ul>
<li>Una clave nunca puede más que usted: si su rol pierde derechos, ella también, y si desactivan su cuenta, deja de funcionar.</li>
<li><strong>Nuevo secreto</strong> sustituye el secreto. El anterior vale unas horas más, para cambiar el programa sin interrupciones.</li>
<li><strong>Revocar</strong> detiene la clave enseguida.</li>
<li>Ninguna clave puede crear claves ni cambiar roles, administradores o contraseñas.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>Un secreto cayó en malas manos. ¿Y ahora?</strong> Cree un <strong>Nuevo secreto</strong> con 0 horas o pulse <strong>Revocar</strong>. El <a href="audit">registro</a> muestra lo que hizo la clave.</p>
`},y={title:"Idiomas",html:`<p>Los idiomas en los que tienen textos las recompensas, los niveles y las categorías, en todas las tiendas.</p>
<ul>
<li>Pulse <strong>Añadir un idioma</strong>, y los formularios tendrán sitio para sus textos.</li>
<li>El <strong>Idioma predeterminado</strong> se muestra donde falta un texto en el idioma del cliente.</li>
<li>Los mensajes vienen en inglés, polaco, alemán, francés y español. Para otros idiomas, escriba los suyos en <a href="messages">mensajes</a>.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿En qué idioma reciben mensajes los clientes?</strong> En el que eligen en la aplicación, o el que usted elige en su perfil.</p>
<p><strong>¿Y si quito un idioma?</strong> Se pierden todos sus textos, en todas las tiendas.</p>
<p><strong>¿Cómo cambio el idioma de este panel?</strong> En el menú de su cuenta, arriba. Cada administrador elige el suyo.</p>
`},b={title:"Niveles",html:`<p>Los niveles premian a sus mejores clientes: bronce, plata, oro. Un nivel puede traer un descuento, y recompensas y reglas de puntos propias.</p>
<h2>Crear un nivel</h2>
<ol>
<li>Pulse <strong>Añadir un nivel</strong>. Dele un nombre y una descripción, que los clientes ven en la aplicación.</li>
<li>Indique desde qué valor lo alcanzan los clientes. Cuentan las compras o los puntos, según los <a href="settings">ajustes</a>. Todos empiezan en un nivel con 0.</li>
<li>Añada un descuento si lo tiene. La aplicación y la caja lo muestran; su tienda lo aplica.</li>
</ol>
<h2>Preguntas</h2>
<p><strong>¿Cuándo suben los clientes?</strong> De inmediato, con el ticket o los puntos que alcanzan el valor.</p>
<p><strong>¿Cuándo bajan?</strong> Si cuentan las compras: cuando una devolución los deja por debajo del valor. Si cuentan los puntos, decide <strong>Los clientes bajan de nivel</strong> en los ajustes: nunca, en cuanto tengan muy pocos, o tras un número de días.</p>
<p><strong>¿Puedo dar un nivel a alguien?</strong> Sí, con <strong>Asignar el nivel manualmente</strong> en el perfil del cliente. Se queda hasta que el cliente alcance uno más alto, o hasta que usted elija <strong>Volver al nivel según las compras</strong>.</p>
<p><strong>¿Puedo eliminar un nivel?</strong> Sí. Sus clientes pasan al nivel que alcanzan sus propias cifras. Tiene que quedar un nivel para empezar.</p>
`},f={title:"Límites",html:`<p>Los tamaños y números máximos que acepta este servidor, y cuántas veces se puede hacer algo. Evitan que un error detenga el programa para todos.</p>
<ul>
<li>Cada línea tiene el nombre de un límite y su <strong>Valor</strong>. Escriba una palabra para encontrar uno.</li>
<li>Los mensajes de error y la documentación usan los mismos nombres.</li>
<li>Si hay algo en <strong>Definido por</strong>, la persona que gestiona el servidor puede cambiar el límite.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Necesito esta página?</strong> Rara vez: cuando un mensaje de error o un desarrollador nombra un límite.</p>
<p><strong>¿Puedo cambiar un límite aquí?</strong> No. Pregunte a la persona que gestiona el servidor.</p>
`},j={title:"Envíos masivos",html:`<p>Escriba a muchos clientes a la vez, por correo, SMS, push o en la bandeja de entrada de la aplicación.</p>
<h2>Enviar uno</h2>
<ol>
<li>Pulse <strong>Redactar un envío masivo</strong>. Elija los canales y <strong>Quién lo recibe</strong>. Verá cuántos aceptan el marketing y a cuántos llega cada canal.</li>
<li>Escriba el texto en cada idioma. Un marcador como {{ first_name }} se convierte en el nombre del cliente. Para los correos elija <strong>Texto simple</strong> o <strong>Bloques</strong>: títulos, botones, imágenes y recompensas con el aspecto de su tienda. Arrastre un bloque por su nombre o use sus flechas.</li>
<li>Véalo en <strong>Como lo recibe un cliente</strong>. Si es un correo, <strong>Enviar la prueba</strong> se lo envía a usted.</li>
<li>Pulse <strong>Guardar</strong> y después <strong>Enviar ahora</strong>. Si eligió una hora en <strong>Enviar el</strong>, el botón se llama <strong>Programar</strong>.</li>
</ol>
<p>Mientras se envía, puede usar <strong>Pausar</strong> o <strong>Detener</strong>.</p>
<h2>Conviene saber</h2>
<ul>
<li>El correo, los SMS y los mensajes push solo llegan a los clientes que aceptan el marketing. La bandeja de entrada llega a todos los que eligió.</li>
<li>Con un enlace en cada correo y SMS, los clientes pueden darse de baja de estos mensajes.</li>
<li>Nadie recibe dos veces el mismo envío.</li>
<li>En las horas de silencio de sus <a href="settings">ajustes</a>, solo llega a la bandeja de entrada. Lo demás espera.</li>
<li>Los resultados cuentan lo que se envió y lo que falló en cada canal, y quién siguió su enlace.</li>
<li>Los botones, imágenes y recompensas de un correo cuentan como seguidos, igual que su enlace.</li>
</ul>
`},P={title:"Mensajes",html:`<p>Lo que Punchcard escribe por sí solo: activación, una contraseña nueva, puntos que caducan, un cumpleaños y más.</p>
<ul>
<li><strong>Textos</strong>: cada mensaje tiene un texto ya hecho. Ábralo para cambiarlo, verlo, desactivarlo con <strong>Se envía</strong>, o para <strong>Enviar el texto guardado como prueba</strong>. Algunos están desactivados al principio, como las felicitaciones de cumpleaños.</li>
<li><strong>Mensajes enviados</strong>: qué se envió a quién, qué espera, y qué falló y por qué. Para los que fallaron hay <strong>Enviar de nuevo</strong>.</li>
<li><strong>Envío</strong>: si se pueden enviar mensajes, su servidor de correo, y servicios para SMS y push. <strong>Enviar una prueba</strong> lo comprueba. Los SMS van por una pasarela propia o por <strong>Twilio</strong>: indique la cuenta, el remitente y el token. Los mensajes push pueden ir a los navegadores de los clientes sin ningún servicio: active <strong>Enviar a navegadores</strong>, y los clientes los activan en su cuenta.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Necesito un servidor de correo?</strong> Ganar puntos y usar cupones funciona sin él. Pero entonces los clientes no pueden activar su cuenta ni elegir una contraseña nueva por sí mismos.</p>
<p><strong>¿Por qué no puedo cambiar algo aquí?</strong> Los textos con enlaces o códigos, y el camino por el que salen los mensajes, podrían abrir la cuenta de cualquiera. Exigen el permiso <strong>Destino de los mensajes con contraseñas y enlaces</strong>, y su contraseña.</p>
`},L={title:"Notificaciones",html:`<p>Mensajes cortos que llegan solos a los clientes en la bandeja de entrada de la aplicación: una recompensa nueva, y cupones, puntos o niveles que terminan pronto.</p>
<ul>
<li>Cada recompensa tiene su propio texto: <strong>Mensaje a los clientes</strong> en el formulario de la <a href="campaigns">campaña</a>. Si lo deja vacío, los clientes leen su nombre.</li>
<li>Todos aquellos para quienes es la recompensa lo reciben una vez, también quien llegue más tarde a su nivel o segmento.</li>
<li><strong>Recompensas anunciadas</strong> muestra cómo va.</li>
<li>Cuántos días antes de un final se avisa a los clientes está en los <a href="settings">ajustes</a>, en <strong>Mensajes</strong>.</li>
<li><strong>Pasarela</strong> entrega las notificaciones a un servicio suyo, que las convierte en mensajes push o SMS. Para ello necesita un desarrollador.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Por qué un cliente nuevo no recibió ningún mensaje de una recompensa?</strong> Ya estaba en oferta. Los clientes nuevos la ven en la aplicación.</p>
<p><strong>¿Cómo envío otras novedades?</strong> Redacte un <a href="mailings">envío masivo</a>.</p>
`},C={title:"Resumen",html:`<p>La primera página de cada día: lo que ha traído el programa y lo que le espera a usted.</p>
<h2>Lo que ve</h2>
<ul>
<li>Las cifras son de los días que elige arriba, y se comparan con los días anteriores o con el año pasado. Las tres grandes llevan a lo que hay detrás.</li>
<li><strong>Requiere atención</strong> enumera recompensas que se agotan, puntos que caducan pronto, mensajes fallidos y cosas así. Una línea lleva a donde puede actuar.</li>
<li><strong>Mejores recompensas</strong> son las que los clientes más compraron en estos días.</li>
<li><strong>Últimos eventos</strong> muestra lo que hacen sus clientes en este momento.</li>
</ul>
<h2>Los primeros pasos</h2>
<p>En una tienda nueva, <strong>Primeros pasos</strong> está encima de las cifras hasta que un cliente pueda ganar puntos, comprar una recompensa y usarla. Cada paso se hace allí mismo. Use <strong>Omitir</strong> en el que no necesite ahora: podrá hacerlo después en su propia página.</p>
<h2>Preguntas</h2>
<p><strong>¿Por qué la cifra de ayer es distinta hoy?</strong> Una devolución, una compra anulada o un cliente eliminado cambia el día de la venta, la compra o el registro que deshace. Así, cada día coincide con lo que es cierto ahora.</p>
<p><strong>¿Cuándo empieza un día?</strong> A medianoche en la <strong>Zona horaria</strong> de su tienda, que usted elige en los <a href="settings">ajustes</a>.</p>
`},E={title:"Pasivo por puntos",html:`<p>Los puntos que tienen los clientes son una promesa. Esta página muestra su tamaño: para sus cuentas y para ver lo que viene.</p>
<h2>Lo que ve</h2>
<ul>
<li><strong>Puntos que tienen los clientes</strong> son todos los que se pueden gastar, y los pendientes y bloqueados.</li>
<li><strong>Próximos en caducar</strong> son los del próximo mes en el que caducan puntos.</li>
<li><strong>Caducados en lugar de gastados</strong> es una parte: de todos los puntos que podían caducar en este mes y los once anteriores, cuántos caducaron.</li>
<li><strong>Por mes de caducidad</strong> y <strong>Por nivel</strong> reparten la suma.</li>
</ul>
<h2>En dinero</h2>
<p>Escriba el <strong>Coste de un punto</strong> en los <a href="settings">ajustes</a>, y cada suma tendrá un valor. Si cambia el coste más tarde, los días anteriores conservan el suyo.</p>
<h2>Para su contable</h2>
<p><strong>Descargar</strong> guarda un diario de los últimos doce meses: puntos otorgados, gastados, caducados y revalorizados, como asientos dobles de cada día. Con un coste del punto, coincide con el saldo hasta el céntimo.</p>
<p>Los cupones comprados y aún no usados están en los <a href="reports">informes</a>, en <strong>Recompensas</strong>.</p>
`},A={title:"Puntos de venta",html:`<p>Sus locales, tiendas en línea y cajas. Los tickets y los <a href="sellers">vendedores</a> pertenecen a uno, de modo que hay cifras de cada uno.</p>
<ul>
<li>Pulse <strong>Añadir un punto de venta</strong>. Basta un nombre.</li>
<li>El <strong>Identificador</strong> es el número de la caja o del local en sus otros sistemas. Si lo deja vacío, es el nombre.</li>
<li><strong>Ventas</strong> y <strong>Facturación</strong> muestran cuántos tickets tiene cada uno hasta ahora, y su valor menos las devoluciones.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Puede algo valer solo para un local?</strong> Las <a href="rules">reglas de puntos</a> pueden. Para una recompensa, cree un <a href="segments">segmento</a> con <strong>Compró en un punto de venta</strong>.</p>
<p><strong>¿Puedo eliminar un punto de venta?</strong> No, porque hay tickets que lo indican.</p>
<p><strong>¿Qué es una caja registrada?</strong> Un dispositivo en el que los <a href="sellers">vendedores</a> se turnan con un PIN en lugar de una contraseña. Un vendedor lo registra en el menú de la cuenta de la caja. Revóquela aquí si se pierde o va a otro lugar.</p>
`},S={title:"Informes",html:`<p>Cifras de los días que elija, comparadas con el periodo anterior, con el año pasado o con días propios.</p>
<h2>Cómo leerlos</h2>
<ul>
<li>Elija el periodo arriba. Toda la página lo sigue.</li>
<li>En <strong>Indicadores</strong>, cada línea dice cómo se cuenta. <strong>Mostrar las filas</strong> lleva a lo que hay detrás.</li>
<li><strong>Por punto de venta</strong> y <strong>Por nivel</strong> reparten las ventas.</li>
<li>Debajo, <strong>Cupones de cada recompensa</strong> dice de cada recompensa cuántos cupones se compraron y se usaron, cuánto costaron y cuánto se vendió con ellos.</li>
<li><strong>Descargar</strong> guarda una tabla como hoja de cálculo o como CSV.</li>
</ul>
<h2>Recompensas y clientes</h2>
<p>Algunas preguntas exigen mirar cada cupón o cada ticket: cuánto costó y trajo cada recompensa, cuántos clientes vuelven a comprar y cuántos siguen de los que se unieron en un mes. Abra <strong>Recompensas</strong> o <strong>Clientes</strong> y pulse <strong>Calcular el informe</strong>. Puede salir de la página; el informe estará ahí cuando vuelva al mismo periodo.</p>
<h2>Preguntas</h2>
<p><strong>¿Para qué nivel cuenta una venta?</strong> Para el que tenía el cliente cuando llegó el ticket.</p>
<p><strong>¿Y para qué segmentos?</strong> Para aquellos en los que está el cliente cuando se calcula el informe. El periodo puede tener 92 días como máximo.</p>
<p><strong>¿Qué es la tasa de canje?</strong> Los puntos gastados en estos días, divididos por los puntos otorgados en estos días. Los puntos gastados pueden ser más antiguos.</p>
<p>Lo que debe en puntos está en una página propia: <a href="owed">Pasivo por puntos</a>.</p>
`},z={title:"Roles",html:`<p>Un rol indica lo que un administrador puede ver y modificar. Dé a cada persona el rol más pequeño que baste para su trabajo.</p>
<ul>
<li><strong>Ver</strong> permite mirar un área, <strong>Modificar</strong> permite además cambiarla.</li>
<li>El <strong>Rol predeterminado</strong> está elegido de antemano para los administradores nuevos.</li>
<li>Los cambios valen en segundos, también para quienes tienen la sesión iniciada.</li>
<li>Un rol puede hacerlo todo. Solo se puede cambiar su nombre.</li>
<li><strong>Destino de los mensajes con contraseñas y enlaces</strong> es para pocos: quien pueda modificarlo podría abrir la cuenta de cualquiera.</li>
<li><strong>Segundo factor</strong>: exija a todos los que tienen el rol una llave de acceso o una aplicación de autenticación, y deles unos días para añadirla. Después, quien no tenga uno solo podrá añadirlo.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Por qué no puedo eliminar un rol?</strong> Alguien lo tiene: dele antes otro. O es el predeterminado, o el que puede hacerlo todo.</p>
<p><strong>¿Por qué no puedo cambiar un rol?</strong> Quizá permite más que el suyo.</p>
`},U={title:"Reglas de puntos",html:`<p>Las reglas de puntos deciden por qué reciben puntos los clientes: por dinero gastado, ciertos productos, una primera compra, un cumpleaños, una invitación, una visita.</p>
<h2>Crear una regla</h2>
<ol>
<li>Pulse <strong>Añadir una regla de puntos</strong> y elija un tipo. <strong>Puntos por dinero gastado</strong> es el comienzo habitual, como 1 punto por cada euro.</li>
<li>Indique cuántos puntos, para quién y cuándo. <strong>Sin fecha</strong> significa siempre.</li>
<li>Guárdela con <strong>Activada</strong> marcado. Cuenta desde ese momento.</li>
</ol>
<h2>Conviene saber</h2>
<ul>
<li>Las reglas se suman. <strong>Multiplicar puntos de productos</strong> multiplica lo que da la regla por dinero gastado en esos productos.</li>
<li>Una regla puede ser para ciertos niveles o segmentos, y para ciertos locales.</li>
<li>En códigos, lugares y eventos propios puede limitar cuántas veces recibe los puntos un cliente.</li>
<li>Cambiar una regla no cambia nada de lo que se ganó antes.</li>
<li>Lo que no da puntos se indica en la regla por dinero gastado: <strong>Los gastos de envío no cuentan</strong>, <strong>Productos que no cuentan</strong>.</li>
<li>Cómo se redondean los puntos y cuándo caducan está en los <a href="settings">ajustes</a>.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Cómo puedo probar mis reglas?</strong> Empiece a registrar un <a href="transactions">ticket</a>: elija un cliente y escriba un valor, y la página muestra los puntos. Salga sin guardar, y no se guarda nada.</p>
`},k={title:"Segmentos",html:`<p>Un segmento es un grupo de clientes con algo en común: no han comprado desde hace 60 días, pronto es su cumpleaños, compran café. Use segmentos para <a href="campaigns">campañas</a>, <a href="rules">reglas de puntos</a> y <a href="mailings">envíos masivos</a>.</p>
<h2>Crear un segmento</h2>
<ol>
<li>Pulse <strong>Añadir un segmento</strong>, dele un nombre y elija un <strong>Criterio</strong>, como <strong>Hace tiempo que no compra</strong>.</li>
<li>Añada más si quiere. Dentro de un grupo basta un criterio; cada grupo tiene que cumplirse. Un ajuste invierte esta regla.</li>
<li>Al final del formulario ve, antes de guardar, a cuántos clientes encuentra, y algunos de ellos.</li>
</ol>
<h2>Conviene saber</h2>
<ul>
<li>Los clientes entran y salen solos: de inmediato cuando algo cambia en ellos, y a medianoche donde cuentan días.</li>
<li>Un cliente que entra en un segmento ve sus recompensas de inmediato.</li>
<li>Solo los clientes activos son miembros.</li>
<li>Mientras <strong>Mantener los miembros al día</strong> está desactivado, las recompensas y reglas tratan el segmento como vacío.</li>
<li>Si elimina un segmento, sus clientes siguen siendo clientes.</li>
</ul>
`},D={title:"Vendedores",html:`<p>Quién atiende a sus clientes en la caja.</p>
<h2>Añadir un vendedor</h2>
<ol>
<li>Pulse <strong>Añadir un vendedor</strong>. Antes necesita un <a href="points-of-sale">punto de venta</a>.</li>
<li>Escriba el nombre, el correo para iniciar sesión y una contraseña que dirá al vendedor.</li>
<li>En <strong>Permisos</strong>, decida qué más se permite además de añadir clientes y vender recompensas: registrar tickets, usar y consultar cupones, anular compras, añadir y gastar puntos.</li>
</ol>
<p>La caja funciona en un navegador, en una tableta o un teléfono. Sin red, guarda lo que se ha escrito y lo envía más tarde.</p>
<h2>Preguntas</h2>
<p><strong>¿Dónde está la caja?</strong> Cierre la sesión de este panel: debajo del inicio de sesión está <strong>Para la caja</strong>.</p>
<p><strong>Un vendedor se va.</strong> Desactive <strong>Puede iniciar sesión</strong>. Su sesión se cierra de inmediato, y lo que hizo se conserva.</p>
<p><strong>Se olvidó una contraseña.</strong> Escriba aquí una <strong>Contraseña nueva</strong>. Con un servidor de correo, los vendedores también pueden elegir una por sí mismos en la caja.</p>
<p><strong>Un vendedor ha perdido su teléfono.</strong> Pulse aquí <strong>Restablecer los segundos factores</strong>: el vendedor inicia sesión solo con la contraseña y añade después uno nuevo. Los <a href="settings">ajustes</a> deciden si los vendedores lo necesitan.</p>
`},M={title:"Ajustes",html:`<p>Lo que su tienda decide por sí misma. Cada campo dice lo que hace, y los cambios valen en cuanto guarda.</p>
<h2>Los más importantes</h2>
<ul>
<li><strong>Zona horaria</strong>: dónde empiezan y terminan los días.</li>
<li><strong>Moneda</strong>: se cambia en <a href="stores">tiendas</a>, hasta el primer ticket.</li>
<li><strong>Los puntos caducan</strong>: tras algunos días, al final del mes o del año, o nunca. Los puntos que tienen los clientes conservan su fecha.</li>
<li><strong>Los clientes alcanzan niveles por</strong>: ventas o puntos.</li>
<li><strong>Productos que no cuentan</strong>: solo para los niveles. Para los puntos, cada <a href="rules">regla de puntos</a> tiene su propia lista.</li>
<li><strong>Cómo encuentran los tickets a su cliente</strong>: por correo, tarjeta o teléfono, y en qué orden.</li>
<li><strong>Sin mensajes de marketing desde</strong>: las horas de silencio.</li>
<li><strong>Aspecto de la aplicación de clientes</strong>: color, logotipo y una imagen grande.</li>
<li><strong>Vendedores</strong>: si necesitan un segundo factor en la caja. Se guarda aparte del resto.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Por qué no puedo cambiar un campo?</strong> Su rol solo puede ver los ajustes. O el campo decide adónde llevan los enlaces de los mensajes: entonces necesita el permiso <strong>Destino de los mensajes con contraseñas y enlaces</strong>, y su contraseña.</p>
`},R={title:"Inicio de sesión único",html:`<p>Los administradores inician sesión con las cuentas de su organización, mediante un proveedor como Keycloak, Entra ID o Google Workspace. Pulse <strong>Añadir un proveedor</strong> y copie de él el emisor, el ID y el secreto de cliente. Después indique al proveedor la URI de redirección que muestra esta página.</p>
<ul>
<li>Los <strong>roles por grupo</strong> deciden qué puede hacer cada persona. Se leen de nuevo en cada inicio de sesión, y cuenta el primer grupo de la lista.</li>
<li><strong>Probar</strong> pregunta si el proveedor responde. <strong>Probar grupos</strong> muestra qué <a href="roles">rol</a> dan unos grupos.</li>
<li>Quien ya tiene una cuenta aquí inicia sesión en ella y la vincula en el menú de usuario, en <strong>Cuentas vinculadas</strong>.</li>
<li>La pestaña de la <strong>tienda</strong> tiene los proveedores de esa tienda. Dan roles en ella, y <strong>Vendedores por grupo</strong> permite a los vendedores iniciar sesión en la caja. Los vendedores que ya tienen una cuenta la vinculan en el menú de la caja.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>Alguien deja la empresa.</strong> Quite los grupos en el proveedor. Con el cierre de sesión back-channel las sesiones terminan al momento; si no, desactive también la <a href="administrators">cuenta</a>.</p>
<p><strong>¿Por qué se rechaza a una persona nueva?</strong> Ninguno de sus grupos está en la lista, o hay una cuenta con su dirección de correo que tiene que vincular.</p>
<p><strong>Nadie puede iniciar sesión.</strong> Ejecute <code>punchcard admin allow-passwords</code> en el servidor e inicie sesión con una contraseña.</p>
`},N={title:"Tiendas",html:`<p>Cada tienda es un programa aparte, con sus propios clientes, recompensas, puntos y ajustes. Las tiendas comparten administradores, roles e idiomas.</p>
<ul>
<li><strong>Abrir una tienda</strong> crea una nueva, con los ajustes de la tienda predeterminada. Los clientes pueden unirse en cuanto tenga un nivel.</li>
<li>El <strong>Código</strong> forma parte de las direcciones y no se puede cambiar después.</li>
<li>La <strong>Moneda</strong> se puede cambiar hasta el primer ticket.</li>
<li>Una <strong>Tienda de pruebas</strong> tiene un <a href="clock">reloj</a> que se puede adelantar. Se elige al abrir la tienda, y así se queda.</li>
<li><strong>Cambiar a ella</strong> lleva a otra tienda. También lo hace el nombre de la tienda, arriba.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Qué pasa si desactivo una tienda?</strong> Se cierra la sesión de sus clientes y vendedores, y ya no reciben respuesta. No se elimina nada, pero los puntos siguen caducando.</p>
`},x={title:"Tickets",html:`<p>Cada venta y cada devolución que han enviado sus locales y cajas.</p>
<h2>Lo que puede hacer</h2>
<ul>
<li>Encuentre un ticket por su número. Los filtros eligen ventas o devoluciones, un punto de venta y días.</li>
<li><strong>Registrar un ticket</strong> a mano, si la caja no pudo.</li>
<li>Abra un ticket y elija <strong>Aceptar una devolución</strong> si un cliente devuelve algo.</li>
<li>Abra un ticket que no es de nadie y elija <strong>Asignar a un cliente</strong>. Los puntos, el nivel y las recompensas siguen como si llegara ahora. No se puede deshacer.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Por qué un ticket no tiene cliente?</strong> No nombraba a ninguno, o su correo, teléfono o tarjeta no es de ningún cliente activo o aún no está confirmado. <strong>Cómo encuentran los tickets a su cliente</strong> en los <a href="settings">ajustes</a> dice qué se busca y en qué orden.</p>
<p><strong>¿Por qué no dio puntos?</strong> No tiene cliente, no encaja ninguna <a href="rules">regla de puntos</a>, o sus productos no cuentan.</p>
<p><strong>¿Qué hace una devolución?</strong> Retira puntos en proporción, y los vales que trajo la venta, y baja las cifras.</p>
<p><strong>¿Cuenta dos veces un ticket si la caja lo envía de nuevo?</strong> No. Cada número se usa una sola vez.</p>
`},Q={title:"Movimientos de puntos",html:`<p>Cada movimiento de puntos: ganados, gastados, bloqueados, dados de un cliente a otro. Aquí nunca se elimina nada; los errores se anulan.</p>
<h2>Lo que puede hacer</h2>
<ul>
<li><strong>Añadir puntos</strong>: el cliente ve el <strong>Motivo</strong>. Los puntos caducan como dicen los ajustes, o tras los días de <strong>Válidos durante</strong>.</li>
<li><strong>Gastar puntos</strong> de un cliente.</li>
<li>Abra un movimiento y elija <strong>Anular los puntos</strong> si se añadieron por error. Lo que se gastó de ellos sigue gastado.</li>
<li>En el mismo lugar, <strong>Liberarlos ahora</strong> libera puntos que esperan, y <strong>Hacerlos caducar ahora</strong> termina puntos antes de tiempo.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Qué puntos se gastan primero?</strong> Los que caducan primero.</p>
<p><strong>¿Qué son los puntos pendientes?</strong> Puntos que un cliente ha ganado pero aún no puede gastar, por ejemplo hasta que ya no se pueda devolver la mercancía. Los <a href="settings">ajustes</a> dicen durante cuántos días.</p>
<p><strong>He gastado puntos por error.</strong> Añada otra vez el mismo número.</p>
<p><strong>¿Qué hace una devolución?</strong> Retira los puntos que ganaron los artículos devueltos, pero nunca más de los que tiene el cliente.</p>
`},I={title:"Probar",html:`<p>¿Qué obtiene un cliente por una cesta y por qué? Esta página pregunta como lo hace una caja o una tienda en línea. No se reserva ni se cambia nada.</p>
<h2>Probar una cesta</h2>
<ol>
<li>Elija un cliente o deje el campo vacío para un desconocido. <strong>Momento</strong> prueba otro momento distinto de ahora.</li>
<li>Escriba un importe. <strong>Introducir líneas</strong> admite números de artículo, categorías y etiquetas, para recompensas y <a href="rules">reglas</a> de productos concretos.</li>
<li>Añada códigos de cupones y las recompensas que el cliente quiere comprar.</li>
</ol>
<p>El resultado cambia mientras escribe. <strong>Copiar enlace</strong> copia una dirección con todo lo que ha escrito.</p>
<h2>Leer el resultado</h2>
<ul>
<li><strong>Precio</strong> muestra lo que cada descuento quita a cada línea.</li>
<li><strong>Cupones y recompensas: por qué</strong> enumera cada regla comprobada. Una cruz dice qué falta.</li>
<li><strong>Puntos</strong> muestra lo que cada regla da por cada línea.</li>
<li><strong>Después</strong> muestra el saldo, el nivel y lo que falta para el nivel y la recompensa siguientes.</li>
</ul>
<h2>Preguntas</h2>
<p><strong>¿Por qué no se aplica un cupón si se cumplen todas las reglas menos una?</strong> De todas las combinaciones vale la que más descuenta. Con otra, el precio es igual o menor.</p>
<p><strong>¿Quién ve esta página?</strong> Quien puede ver las <a href="campaigns">campañas</a>. Para elegir un cliente o escribir un código, hay que poder ver también los <a href="customers">clientes</a>.</p>
`},T={title:"Webhooks",html:`<p>Los webhooks dicen a sus otros sistemas lo que ocurre: una compra, un cliente nuevo, un cupón usado. Para ellos necesita un desarrollador.</p>
<ol>
<li>Pulse <strong>Añadir un webhook</strong>, escriba la <strong>Dirección</strong> de su sistema y elija los eventos.</li>
<li>Guarde, y conserve el secreto. Se muestra una sola vez, y demuestra que una llamada viene de Punchcard.</li>
<li>Pulse <strong>Probar</strong>.</li>
</ol>
<h2>Conviene saber</h2>
<ul>
<li>Las llamadas que fallan se repiten durante tres días, con pausas cada vez más largas.</li>
<li>Un webhook que falla durante cinco días se desactiva, y el <a href="overview">resumen</a> se lo dice. Actívelo de nuevo, y sigue con lo que se perdió.</li>
<li><strong>Entregas</strong> enumera cada llamada con su respuesta. <strong>Enviar de nuevo</strong> repite una, <strong>Reenviar las fallidas</strong> todas las que fallaron.</li>
</ul>
`},w={administrators:n,audit:a,bought:o,"bulk-actions":s,campaigns:c,cashback:r,categories:t,clock:l,customers:i,events:d,imports:p,invitations:g,jobs:m,joining:v,journeys:h,keys:q,languages:y,levels:b,limits:f,mailings:j,messages:P,notifications:L,overview:C,owed:E,"points-of-sale":A,reports:S,roles:z,rules:U,segments:k,sellers:D,settings:M,"single-sign-on":R,stores:N,transactions:x,transfers:Q,"try-it":I,webhooks:T};export{n as administrators,a as audit,o as bought,s as"bulk-actions",c as campaigns,r as cashback,t as categories,l as clock,i as customers,w as default,d as events,p as imports,g as invitations,m as jobs,v as joining,h as journeys,q as keys,y as languages,b as levels,f as limits,j as mailings,P as messages,L as notifications,C as overview,E as owed,A as"points-of-sale",S as reports,z as roles,U as rules,k as segments,D as sellers,M as settings,R as"single-sign-on",N as stores,x as transactions,Q as transfers,I as"try-it",T as webhooks};
